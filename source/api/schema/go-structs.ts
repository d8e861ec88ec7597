// Some values in messages are the server's own structs, printed with Go's field names, in the order in which they are
// declared, with every empty field. This is that shape for pods' specs, claims and volumes, so that the picture of a
// refused change is the one that users know.
//
// A line is a struct: its fields as `Name:kind`. Kinds: s string, i number, b boolean, v value as it is (0 when absent),
// * null when absent, `{T` struct or null, `=T` struct, `[T` list of structs or null, `+T` fields of T in its place.

const STRUCTS = `
PodSpec Volumes:[Volume InitContainers:[Container Containers:[Container EphemeralContainers:[EphemeralContainer RestartPolicy:s TerminationGracePeriodSeconds:* ActiveDeadlineSeconds:* DNSPolicy:s NodeSelector:* ServiceAccountName:s AutomountServiceAccountToken:* NodeName:s SecurityContext:{PodSecurityContext ImagePullSecrets:[LocalObjectReference Hostname:s Subdomain:s SetHostnameAsFQDN:* Affinity:{Affinity SchedulerName:s Tolerations:[Toleration HostAliases:[HostAlias PriorityClassName:s Priority:* PreemptionPolicy:* DNSConfig:{PodDNSConfig ReadinessGates:[PodReadinessGate RuntimeClassName:* Overhead:* EnableServiceLinks:* TopologySpreadConstraints:[TopologySpreadConstraint OS:{PodOS SchedulingGates:[PodSchedulingGate ResourceClaims:[PodResourceClaim Resources:{ResourceRequirements HostnameOverride:* WorkloadRef:*
PodSecurityContext HostNetwork:b HostPID:b HostIPC:b ShareProcessNamespace:* HostUsers:* SELinuxOptions:{SELinuxOptions WindowsOptions:{WindowsOptions RunAsUser:* RunAsGroup:* RunAsNonRoot:* SupplementalGroups:* SupplementalGroupsPolicy:* FSGroup:* FSGroupChangePolicy:* Sysctls:[NameValue SeccompProfile:{Profile AppArmorProfile:{Profile SELinuxChangePolicy:*
LocalObjectReference Name:s
NameValue Name:s Value:s
Profile Type:s LocalhostProfile:*
SELinuxOptions User:s Role:s Type:s Level:s
WindowsOptions GMSACredentialSpecName:* GMSACredentialSpec:* RunAsUserName:* HostProcess:*
PodOS Name:s
PodReadinessGate ConditionType:s
PodSchedulingGate Name:s
PodResourceClaim Name:s ResourceClaimName:* ResourceClaimTemplateName:*
HostAlias IP:s Hostnames:*
PodDNSConfig Nameservers:* Searches:* Options:[PodDNSConfigOption
PodDNSConfigOption Name:s Value:*
Toleration Key:s Operator:s Value:s Effect:s TolerationSeconds:*
TopologySpreadConstraint MaxSkew:i TopologyKey:s WhenUnsatisfiable:s LabelSelector:* MinDomains:* NodeAffinityPolicy:* NodeTaintsPolicy:* MatchLabelKeys:*
Affinity NodeAffinity:{NodeAffinity PodAffinity:{PodAffinity PodAntiAffinity:{PodAffinity
NodeAffinity RequiredDuringSchedulingIgnoredDuringExecution:{NodeSelector PreferredDuringSchedulingIgnoredDuringExecution:[PreferredSchedulingTerm
NodeSelector NodeSelectorTerms:[NodeSelectorTerm
NodeSelectorTerm MatchExpressions:[NodeSelectorRequirement MatchFields:[NodeSelectorRequirement
NodeSelectorRequirement Key:s Operator:s Values:*
PreferredSchedulingTerm Weight:i Preference:=NodeSelectorTerm
PodAffinity RequiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm
PodAffinityTerm LabelSelector:* Namespaces:* TopologyKey:s NamespaceSelector:* MatchLabelKeys:* MismatchLabelKeys:*
WeightedPodAffinityTerm Weight:i PodAffinityTerm:=PodAffinityTerm
Container Name:s Image:s Command:* Args:* WorkingDir:s Ports:[ContainerPort EnvFrom:[EnvFromSource Env:[EnvVar Resources:=ResourceRequirements ResizePolicy:[ContainerResizePolicy RestartPolicy:* RestartPolicyRules:* VolumeMounts:[VolumeMount VolumeDevices:[VolumeDevice LivenessProbe:{Probe ReadinessProbe:{Probe StartupProbe:{Probe Lifecycle:{Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:{SecurityContext Stdin:b StdinOnce:b TTY:b
EphemeralContainer EphemeralContainerCommon:+Container TargetContainerName:s
ContainerPort Name:s HostPort:i ContainerPort:i Protocol:s HostIP:s
ContainerResizePolicy ResourceName:s RestartPolicy:s
EnvFromSource Prefix:s ConfigMapRef:{OptionalReference SecretRef:{OptionalReference
OptionalReference Name:s Optional:*
EnvVar Name:s Value:s ValueFrom:{EnvVarSource
EnvVarSource FieldRef:{ObjectFieldSelector ResourceFieldRef:{ResourceFieldSelector ConfigMapKeyRef:{KeySelector SecretKeyRef:{KeySelector FileKeyRef:{FileKeySelector
ObjectFieldSelector APIVersion:s FieldPath:s
ResourceFieldSelector ContainerName:s Resource:s Divisor:v
KeySelector Name:s Key:s Optional:*
FileKeySelector VolumeName:s Path:s Key:s Optional:*
ResourceRequirements Limits:* Requests:* Claims:[ResourceClaim
ResourceClaim Name:s Request:s
VolumeMount Name:s ReadOnly:b RecursiveReadOnly:* MountPath:s SubPath:s MountPropagation:* SubPathExpr:s
VolumeDevice Name:s DevicePath:s
Probe ProbeHandler:+Handler InitialDelaySeconds:i TimeoutSeconds:i PeriodSeconds:i SuccessThreshold:i FailureThreshold:i TerminationGracePeriodSeconds:*
Handler Exec:{ExecAction HTTPGet:{HTTPGetAction TCPSocket:{TCPSocketAction GRPC:{GRPCAction
ExecAction Command:*
HTTPGetAction Path:s Port:v Host:s Scheme:s HTTPHeaders:[NameValue
TCPSocketAction Port:v Host:s
GRPCAction Port:i Service:*
Lifecycle PostStart:{LifecycleHandler PreStop:{LifecycleHandler StopSignal:*
LifecycleHandler Exec:{ExecAction HTTPGet:{HTTPGetAction TCPSocket:{TCPSocketAction Sleep:{SleepAction
SleepAction Seconds:i
SecurityContext Capabilities:{Capabilities Privileged:* SELinuxOptions:{SELinuxOptions WindowsOptions:{WindowsOptions RunAsUser:* RunAsGroup:* RunAsNonRoot:* ReadOnlyRootFilesystem:* AllowPrivilegeEscalation:* ProcMount:* SeccompProfile:{Profile AppArmorProfile:{Profile
Capabilities Add:* Drop:*
Volume Name:s VolumeSource:+VolumeSource
VolumeSource HostPath:{HostPath EmptyDir:{EmptyDir GCEPersistentDisk:* AWSElasticBlockStore:* GitRepo:* Secret:{SecretVolume NFS:{NFS ISCSI:* Glusterfs:* PersistentVolumeClaim:{ClaimVolume RBD:* Quobyte:* FlexVolume:* Cinder:* CephFS:* Flocker:* DownwardAPI:{DownwardAPIVolume FC:* AzureFile:* ConfigMap:{ConfigMapVolume VsphereVolume:* AzureDisk:* PhotonPersistentDisk:* Projected:{Projected PortworxVolume:* ScaleIO:* StorageOS:* CSI:{CSIVolume Ephemeral:* Image:{ImageVolume
HostPath Path:s Type:*
EmptyDir Medium:s SizeLimit:*
NFS Server:s Path:s ReadOnly:b
SecretVolume SecretName:s Items:[KeyToPath DefaultMode:* Optional:*
ConfigMapVolume Name:s Items:[KeyToPath DefaultMode:* Optional:*
ClaimVolume ClaimName:s ReadOnly:b
DownwardAPIVolume Items:[DownwardAPIFile DefaultMode:*
DownwardAPIFile Path:s FieldRef:{ObjectFieldSelector ResourceFieldRef:{ResourceFieldSelector Mode:*
KeyToPath Key:s Path:s Mode:*
Projected Sources:[Projection DefaultMode:*
Projection Secret:{NamedProjection DownwardAPI:{DownwardAPIProjection ConfigMap:{NamedProjection ServiceAccountToken:{TokenProjection ClusterTrustBundle:* PodCertificate:*
NamedProjection Name:s Items:[KeyToPath Optional:*
DownwardAPIProjection Items:[DownwardAPIFile
TokenProjection Audience:s ExpirationSeconds:i Path:s
CustomResourceDefinitionVersion Name:s Served:b Storage:b Deprecated:b DeprecationWarning:* Schema:* Subresources:* AdditionalPrinterColumns:[CustomResourceColumnDefinition SelectableFields:[SelectableField
CustomResourceColumnDefinition Name:s Type:s Format:s Description:s Priority:i JSONPath:s
SelectableField JSONPath:s
ValidationRule Rule:s Message:s MessageExpression:s Reason:* FieldPath:s OptionalOldSelf:*
FlowSchemaSpec PriorityLevelConfiguration:=NamedSubject MatchingPrecedence:i DistinguisherMethod:{FlowDistinguisherMethod Rules:[PolicyRulesWithSubjects
NamedSubject Name:s
FlowDistinguisherMethod Type:s
PolicyRulesWithSubjects Subjects:[FlowSubject ResourceRules:[ResourcePolicyRule NonResourceRules:[NonResourcePolicyRule
FlowSubject Kind:s User:{NamedSubject Group:{NamedSubject ServiceAccount:{ServiceAccountSubject
ServiceAccountSubject Namespace:s Name:s
ResourcePolicyRule Verbs:* APIGroups:* Resources:* ClusterScope:b Namespaces:*
NonResourcePolicyRule Verbs:* NonResourceURLs:*
PriorityLevelSpec Type:s Limited:{LimitedPriorityLevel Exempt:{ExemptPriorityLevel
LimitedPriorityLevel NominalConcurrencyShares:i LimitResponse:=LimitResponse LendablePercent:* BorrowingLimitPercent:*
LimitResponse Type:s Queuing:{QueuingConfiguration
QueuingConfiguration Queues:i HandSize:i QueueLengthLimit:i
ExemptPriorityLevel NominalConcurrencyShares:* LendablePercent:*
CSIVolume Driver:s ReadOnly:* FSType:* VolumeAttributes:* NodePublishSecretRef:{LocalObjectReference
ImageVolume Reference:s PullPolicy:s
PersistentVolumeClaimSpec AccessModes:* Selector:* Resources:=VolumeResources VolumeName:s StorageClassName:* VolumeMode:* DataSource:{TypedReference DataSourceRef:{TypedObjectReference VolumeAttributesClassName:*
VolumeResources Limits:* Requests:*
TypedReference APIGroup:* Kind:s Name:s
TypedObjectReference APIGroup:* Kind:s Name:s Namespace:*
PersistentVolumeSource GCEPersistentDisk:* AWSElasticBlockStore:* HostPath:{HostPath Glusterfs:* NFS:{NFS RBD:* Quobyte:* ISCSI:* FlexVolume:* Cinder:* CephFS:* FC:* Flocker:* AzureFile:* VsphereVolume:* AzureDisk:* PhotonPersistentDisk:* PortworxVolume:* ScaleIO:* Local:{LocalVolume StorageOS:* CSI:{CSIPersistentVolume
LocalVolume Path:s FSType:*
CSIPersistentVolume Driver:s VolumeHandle:s ReadOnly:b FSType:s VolumeAttributes:* ControllerPublishSecretRef:* NodeStageSecretRef:* NodePublishSecretRef:* ControllerExpandSecretRef:* NodeExpandSecretRef:*
`;

interface Field {
  readonly name: string;
  readonly key: string;
  readonly kind: string;
  readonly type: string;
}

/** Names whose JSON form does not follow from the rule. */
const IRREGULAR: Readonly<Record<string, string>> = {
  CephFS: 'cephfs',
  StorageOS: 'storageos',
  IP: 'ip',
  GMSACredentialSpec: 'gmsaCredentialSpec',
  JSONPath: 'jsonPath',
};

const structs = new Map<string, readonly Field[]>(
  STRUCTS.trim()
    .split('\n')
    .map(line => {
      const [name = '', ...fields] = line.split(' ');
      return [name, fields.map(readField)];
    }),
);

function readField(text: string): Field {
  const [name = '', rest = ''] = text.split(':');
  return {name, key: IRREGULAR[name] ?? jsonName(name), kind: rest.charAt(0), type: rest.slice(1)};
}

/** `DNSPolicy` is `dnsPolicy`, `TTY` is `tty`. */
function jsonName(name: string): string {
  return name.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, letters => letters.toLowerCase());
}

type Struct = Readonly<Record<string, unknown>>;

/** A value in the shape of one of the server's structs. */
export function goStruct(type: string, value: object): Struct {
  const source = value as Struct;
  const entries = (structs.get(type) ?? []).flatMap(field => {
    if (field.kind === '+') return Object.entries(goStruct(field.type, value));
    return [[field.name, goField(field, source[field.key])] as [string, unknown]];
  });
  return Object.fromEntries(entries);
}

function goField({kind, type}: Field, value: unknown): unknown {
  switch (kind) {
    case 's':
      return value ?? '';
    case 'b':
      return value ?? false;
    case '[':
      return Array.isArray(value) ? value.map(item => goStruct(type, item as object)) : null;
    case '{':
      return value === undefined ? null : goStruct(type, value as object);
    case '=':
      return goStruct(type, (value ?? {}) as object);
    case '*':
      return value ?? null;
    default:
      return value ?? 0;
  }
}

/** The spec of a pod: the server keeps what belongs to the host in the security context. */
export function goPodSpec(spec: Struct): Struct {
  const {hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers, securityContext, ...rest} = spec;
  const host = Object.entries({hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers}).filter(
    ([, part]) => part !== undefined,
  );
  return goStruct('PodSpec', {
    ...rest,
    securityContext: {...(securityContext as object | undefined), ...Object.fromEntries(host)},
  });
}

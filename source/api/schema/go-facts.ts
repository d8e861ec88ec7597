// What the published schema does not tell about Go's types, and what one sees in answers and messages:
// - an optional scalar that is no pointer vanishes when it is false, 0 or empty; a pointer stays (`replicas: 0`);
// - a struct that is no pointer is always there, even when empty (`resources: {}`, `status: {}`);
// - lists and times without `omitempty` are printed as null when they are empty;
// - named string types and embedded structs show in the texts of decoding errors.
// Types are named as `shortType` names them.

/** Optional scalars that are pointers, and one list whose emptiness means something: type, then fields. */
const POINTERS = `
admissionregistration.MutatingWebhook failurePolicy matchPolicy reinvocationPolicy timeoutSeconds
admissionregistration.ValidatingWebhook failurePolicy matchPolicy timeoutSeconds
admissionregistration.MatchResources matchPolicy
admissionregistration.NamedRuleWithOperations scope
admissionregistration.RuleWithOperations scope
admissionregistration.ServiceReference path port
admissionregistration.WebhookClientConfig url
admissionregistration.ParamRef parameterNotFoundAction
admissionregistration.ValidatingAdmissionPolicySpec failurePolicy
admissionregistration.Validation reason
apiextensions.ServiceReference path port
apiextensions.WebhookClientConfig url
apiextensions.CustomResourceDefinitionVersion deprecationWarning
apiextensions.CustomResourceSubresourceScale labelSelectorPath
apiextensions.JSONSchemaProps x-kubernetes-list-type x-kubernetes-map-type x-kubernetes-preserve-unknown-fields maxItems maxLength maxProperties minItems minLength minProperties maximum minimum multipleOf
apiextensions.ValidationRule reason optionalOldSelf
apiregistration.ServiceReference port
apps.DaemonSetSpec revisionHistoryLimit
apps.DaemonSetStatus collisionCount
apps.DeploymentSpec progressDeadlineSeconds replicas revisionHistoryLimit
apps.DeploymentStatus collisionCount terminatingReplicas
apps.ReplicaSetSpec replicas
apps.ReplicaSetStatus terminatingReplicas
apps.RollingUpdateStatefulSetStrategy partition
apps.StatefulSetSpec replicas revisionHistoryLimit
apps.StatefulSetStatus collisionCount
authentication.TokenRequestSpec expirationSeconds
autoscaling.HPAScalingRules policies selectPolicy stabilizationWindowSeconds
autoscaling.HorizontalPodAutoscalerSpec minReplicas targetCPUUtilizationPercentage
autoscaling.HorizontalPodAutoscalerStatus currentCPUUtilizationPercentage observedGeneration
autoscaling.MetricTarget averageUtilization
autoscaling.MetricValueStatus averageUtilization
batch.CronJobSpec timeZone failedJobsHistoryLimit startingDeadlineSeconds successfulJobsHistoryLimit suspend
batch.JobSpec completionMode managedBy podReplacementPolicy activeDeadlineSeconds backoffLimit backoffLimitPerIndex completions maxFailedIndexes parallelism ttlSecondsAfterFinished manualSelector suspend
batch.JobStatus failedIndexes ready terminating
batch.PodFailurePolicyOnExitCodesRequirement containerName
batch.SuccessPolicyRule succeededIndexes succeededCount
certificates.CertificateSigningRequestSpec expirationSeconds
coordination.LeaseSpec holderIdentity preferredHolder strategy leaseDurationSeconds leaseTransitions
core.AppArmorProfile localhostProfile
core.AzureFilePersistentVolumeSource secretNamespace
core.CSIVolumeSource fsType readOnly
core.ClientIPConfig timeoutSeconds
core.ClusterTrustBundleProjection name signerName optional
core.ConfigMap immutable
core.ConfigMapEnvSource optional
core.ConfigMapKeySelector optional
core.ConfigMapProjection optional
core.ConfigMapVolumeSource defaultMode optional
core.Container restartPolicy
core.ContainerStatus started stopSignal
core.DownwardAPIVolumeFile mode
core.DownwardAPIVolumeSource defaultMode
core.EndpointAddress nodeName
core.EndpointPort appProtocol
core.EphemeralContainer restartPolicy
core.FCVolumeSource lun
core.GRPCAction service
core.HostPathVolumeSource type
core.ISCSIPersistentVolumeSource initiatorName
core.ISCSIVolumeSource initiatorName
core.KeyToPath mode
core.Lifecycle stopSignal
core.LoadBalancerIngress ipMode
core.LocalVolumeSource fsType
core.NodeFeatures supplementalGroupsPolicy
core.NodeRuntimeHandlerFeatures recursiveReadOnlyMounts userNamespaces
core.NodeSwapStatus capacity
core.PersistentVolumeClaimSpec storageClassName volumeAttributesClassName volumeMode
core.PersistentVolumeClaimStatus currentVolumeAttributesClassName
core.PersistentVolumeSpec volumeMode volumeAttributesClassName
core.PodCertificateProjection maxExpirationSeconds
core.PodDNSConfigOption value
core.PodResourceClaim resourceClaimName resourceClaimTemplateName
core.PodResourceClaimStatus resourceClaimName
core.PodSecurityContext fsGroupChangePolicy seLinuxChangePolicy supplementalGroupsPolicy fsGroup runAsGroup runAsUser runAsNonRoot
core.PodSpec hostnameOverride preemptionPolicy runtimeClassName activeDeadlineSeconds priority terminationGracePeriodSeconds automountServiceAccountToken enableServiceLinks hostUsers setHostnameAsFQDN shareProcessNamespace
core.PortStatus error
core.Probe terminationGracePeriodSeconds
core.ProjectedVolumeSource defaultMode
core.ReplicationControllerSpec replicas
core.SeccompProfile localhostProfile
core.Secret immutable
core.SecretEnvSource optional
core.SecretKeySelector optional
core.SecretProjection optional
core.SecretVolumeSource defaultMode optional
core.SecurityContext procMount runAsGroup runAsUser allowPrivilegeEscalation privileged readOnlyRootFilesystem runAsNonRoot
core.ServiceAccount automountServiceAccountToken
core.ServiceAccountTokenProjection expirationSeconds
core.ServicePort appProtocol
core.ServiceSpec internalTrafficPolicy ipFamilyPolicy loadBalancerClass trafficDistribution allocateLoadBalancerNodePorts
core.Toleration tolerationSeconds
core.TopologySpreadConstraint nodeAffinityPolicy nodeTaintsPolicy minDomains
core.TypedLocalObjectReference apiGroup
core.TypedObjectReference apiGroup namespace
core.VolumeMount mountPropagation recursiveReadOnly
core.VolumeMountStatus recursiveReadOnly
core.WindowsSecurityContextOptions gmsaCredentialSpec gmsaCredentialSpecName runAsUserName hostProcess
discovery.Endpoint hostname nodeName zone
discovery.EndpointConditions ready serving terminating
discovery.EndpointPort name protocol appProtocol port
flowcontrol.ExemptPriorityLevelConfiguration lendablePercent nominalConcurrencyShares
flowcontrol.LimitedPriorityLevelConfiguration borrowingLimitPercent lendablePercent nominalConcurrencyShares
meta.DeleteOptions propagationPolicy gracePeriodSeconds ignoreStoreReadErrorWithClusterBreakingPotential orphanDependents
meta.ListMeta remainingItemCount
meta.ObjectMeta deletionGracePeriodSeconds
meta.OwnerReference blockOwnerDeletion controller
meta.Preconditions resourceVersion uid
networking.HTTPIngressPath pathType
networking.IngressClassParametersReference apiGroup namespace scope
networking.IngressPortStatus error
networking.IngressSpec ingressClassName
networking.NetworkPolicyPort protocol endPort
policy.PodDisruptionBudgetSpec unhealthyPodEvictionPolicy
resource.AllocatedDeviceStatus shareID
resource.Device nodeName allNodes allowMultipleAllocations bindsToNode
resource.DeviceAttribute string version int bool
resource.DeviceClassSpec extendedResourceName
resource.DeviceConstraint distinctAttribute matchAttribute
resource.DeviceRequestAllocationResult shareID adminAccess
resource.DeviceToleration tolerationSeconds
resource.ExactDeviceRequest adminAccess
resource.ResourceSliceSpec nodeName allNodes perDeviceNodeSelection
scheduling.PriorityClass preemptionPolicy
storage.CSIDriverSpec fsGroupPolicy nodeAllocatableUpdatePeriodSeconds attachRequired podInfoOnMount requiresRepublish seLinuxMount serviceAccountTokenInSecrets storageCapacity
storage.StorageClass reclaimPolicy volumeBindingMode allowVolumeExpansion
storage.TokenRequest expirationSeconds
storage.VolumeAttachmentSource persistentVolumeName
storage.VolumeError errorCode
storage.VolumeNodeResources count
`;

/** Structs that are no pointers, beside `metadata`, `spec` and `status` of kinds. */
const STRUCTS = `
admissionregistration.MutatingWebhook clientConfig
admissionregistration.ValidatingWebhook clientConfig
apiextensions.CustomResourceDefinitionSpec names
apiextensions.CustomResourceDefinitionStatus acceptedNames
apps.DaemonSetSpec template updateStrategy
apps.DeploymentSpec template strategy
apps.ReplicaSetSpec template
apps.StatefulSetSpec template updateStrategy
authentication.SelfSubjectReviewStatus userInfo
authentication.TokenReviewStatus user
autoscaling.ContainerResourceMetricSource target
autoscaling.ContainerResourceMetricStatus current
autoscaling.ExternalMetricSource metric target
autoscaling.ExternalMetricStatus metric current
autoscaling.HorizontalPodAutoscalerSpec scaleTargetRef
autoscaling.ObjectMetricSource describedObject metric target
autoscaling.ObjectMetricStatus describedObject metric current
autoscaling.PodsMetricSource metric target
autoscaling.PodsMetricStatus metric current
autoscaling.ResourceMetricSource target
autoscaling.ResourceMetricStatus current
batch.CronJobSpec jobTemplate
batch.JobSpec template
batch.JobTemplateSpec metadata spec
core.Binding target
core.Container resources
core.ContainerStatus state lastState
core.EphemeralContainer resources
core.Event involvedObject source
core.HTTPGetAction port
core.NodeDaemonEndpoints kubeletEndpoint
core.NodeStatus daemonEndpoints nodeInfo
core.PersistentVolumeClaimSpec resources
core.PersistentVolumeClaimTemplate metadata spec
core.PodTemplate template
core.PodTemplateSpec metadata spec
core.PreferredSchedulingTerm preference
core.ResourceFieldSelector divisor
core.ServicePort targetPort
core.ServiceStatus loadBalancer
core.TCPSocketAction port
core.WeightedPodAffinityTerm podAffinityTerm
discovery.Endpoint conditions
events.Event regarding deprecatedSource
flowcontrol.FlowSchemaSpec priorityLevelConfiguration
flowcontrol.LimitedPriorityLevelConfiguration limitResponse
networking.HTTPIngressPath backend
networking.IngressServiceBackend port
networking.IngressStatus loadBalancer
networking.NetworkPolicySpec podSelector
rbac.ClusterRoleBinding roleRef
rbac.RoleBinding roleRef
resource.AllocationResult devices
resource.ResourceClaimSpec devices
resource.ResourceClaimTemplateSpec metadata spec
resource.ResourceSliceSpec pool
storage.VolumeAttachmentSpec source
`;

/** Lists and times that are printed as null when there is nothing in them. */
const NULLS = `
apiextensions.CustomResourceDefinitionCondition lastTransitionTime
apiextensions.CustomResourceDefinitionStatus conditions storedVersions
apiregistration.APIServiceCondition lastTransitionTime
apps.DaemonSetCondition lastTransitionTime
apps.DeploymentCondition lastTransitionTime lastUpdateTime
apps.ReplicaSetCondition lastTransitionTime
apps.StatefulSetCondition lastTransitionTime
authentication.TokenRequestSpec boundObjectRef
autoscaling.HorizontalPodAutoscalerCondition lastTransitionTime
autoscaling.HorizontalPodAutoscalerStatus currentMetrics
batch.JobCondition lastProbeTime lastTransitionTime
certificates.CertificateSigningRequestCondition lastTransitionTime lastUpdateTime
core.ContainerStateRunning startedAt
core.ContainerStateTerminated startedAt finishedAt
core.Event eventTime firstTimestamp lastTimestamp
core.EventSeries lastObservedTime
core.LimitRangeSpec limits
core.NamespaceCondition lastTransitionTime
core.NodeCondition lastHeartbeatTime lastTransitionTime
core.PersistentVolumeClaimCondition lastProbeTime lastTransitionTime
core.PodCondition lastProbeTime lastTransitionTime
core.PodSpec containers
core.ReplicationControllerCondition lastTransitionTime
discovery.EndpointSlice endpoints ports
events.Event deprecatedFirstTimestamp deprecatedLastTimestamp eventTime
flowcontrol.FlowSchemaCondition lastTransitionTime
flowcontrol.PriorityLevelConfigurationCondition lastTransitionTime
networking.HTTPIngressPath pathType
networking.HTTPIngressRuleValue paths
rbac.ClusterRole rules
rbac.PolicyRule verbs
rbac.Role rules
storage.CSINodeSpec drivers
storage.VolumeError time
`;

/** Structs whose fields stand in the outer one; Go's messages name them: outer type, name, fields. */
const EMBEDDED = `
core.Probe ProbeHandler exec grpc httpGet tcpSocket
core.ConfigMapEnvSource LocalObjectReference name
core.ConfigMapKeySelector LocalObjectReference name
core.ConfigMapProjection LocalObjectReference name
core.ConfigMapVolumeSource LocalObjectReference name
core.SecretEnvSource LocalObjectReference name
core.SecretKeySelector LocalObjectReference name
core.SecretProjection LocalObjectReference name
admissionregistration.RuleWithOperations Rule apiGroups apiVersions resources scope
`;

/** Named string types. */
const NAMED = `
apps.DaemonSetUpdateStrategy type=v1.DaemonSetUpdateStrategyType
apps.DeploymentStrategy type=v1.DeploymentStrategyType
apps.StatefulSetSpec podManagementPolicy=v1.PodManagementPolicyType
apps.StatefulSetUpdateStrategy type=v1.StatefulSetUpdateStrategyType
batch.CronJobSpec concurrencyPolicy=v1.ConcurrencyPolicy
batch.JobSpec completionMode=v1.CompletionMode podReplacementPolicy=v1.PodReplacementPolicy
core.Container imagePullPolicy=v1.PullPolicy restartPolicy=v1.ContainerRestartPolicy terminationMessagePolicy=v1.TerminationMessagePolicy
core.ContainerPort protocol=v1.Protocol
core.EmptyDirVolumeSource medium=v1.StorageMedium
core.HTTPGetAction scheme=v1.URIScheme
core.HostPathVolumeSource type=v1.HostPathType
core.LimitRangeItem type=v1.LimitType
core.NodeSelectorRequirement operator=v1.NodeSelectorOperator
core.PersistentVolumeClaimSpec volumeMode=v1.PersistentVolumeMode
core.PersistentVolumeSpec volumeMode=v1.PersistentVolumeMode persistentVolumeReclaimPolicy=v1.PersistentVolumeReclaimPolicy
core.PodSpec dnsPolicy=v1.DNSPolicy preemptionPolicy=v1.PreemptionPolicy restartPolicy=v1.RestartPolicy
core.Secret type=v1.SecretType
core.ServicePort protocol=v1.Protocol
core.ServiceSpec type=v1.ServiceType sessionAffinity=v1.ServiceAffinity externalTrafficPolicy=v1.ServiceExternalTrafficPolicy internalTrafficPolicy=v1.ServiceInternalTrafficPolicy ipFamilyPolicy=v1.IPFamilyPolicy
core.Taint effect=v1.TaintEffect
core.Toleration effect=v1.TaintEffect operator=v1.TolerationOperator
core.TopologySpreadConstraint whenUnsatisfiable=v1.UnsatisfiableConstraintAction
meta.LabelSelectorRequirement operator=v1.LabelSelectorOperator
meta.ObjectMeta uid=types.UID
meta.OwnerReference uid=types.UID
networking.HTTPIngressPath pathType=v1.PathType
storage.StorageClass reclaimPolicy=v1.PersistentVolumeReclaimPolicy volumeBindingMode=v1.VolumeBindingMode
`;

/** Does an empty value of this optional scalar stay? */
export function isPointer(type: string, field: string): boolean {
  return POINTER_SET.has(`${type} ${field}`);
}

/** Is this struct always there? */
export function isPlainStruct(type: string, field: string): boolean {
  return STRUCT_SET.has(`${type} ${field}`);
}

/** The fields of a type that are printed as null when empty. */
export function nullFields(type: string): readonly string[] {
  return NULL_FIELDS.get(type) ?? [];
}

/** The embedded struct, if any, through which Go reaches a field. */
export function embeddedIn(type: string, field: string): string | undefined {
  if (type === 'core.Volume' && field !== 'name') return 'VolumeSource';
  if (type === 'core.EphemeralContainer' && field !== 'targetContainerName') return 'EphemeralContainerCommon';
  return EMBEDDED_IN.get(`${type} ${field}`);
}

/** The name of a named string type. */
export function namedType(type: string, field: string): string | undefined {
  return NAMED_TYPES.get(`${type} ${field}`);
}

function rows(table: string): readonly (readonly string[])[] {
  return table
    .trim()
    .split('\n')
    .map(line => line.split(' '));
}

function pairs(table: string): ReadonlySet<string> {
  return new Set(rows(table).flatMap(([type = '', ...fields]) => fields.map(field => `${type} ${field}`)));
}

const POINTER_SET = pairs(POINTERS);
const STRUCT_SET = pairs(STRUCTS);
const NULL_FIELDS = new Map(rows(NULLS).map(([type = '', ...fields]) => [type, fields]));
const EMBEDDED_IN = new Map(
  rows(EMBEDDED).flatMap(([type = '', name = '', ...fields]) =>
    fields.map((field): [string, string] => [`${type} ${field}`, name]),
  ),
);
const NAMED_TYPES = new Map(
  rows(NAMED).flatMap(([type = '', ...fields]) =>
    fields.map((pair): [string, string] => {
      const [field = '', name = ''] = pair.split('=');
      return [`${type} ${field}`, name];
    }),
  ),
);

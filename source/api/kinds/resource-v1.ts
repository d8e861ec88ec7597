// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as coreV1 from './core-v1.ts';
import type * as meta from './meta.ts';

export interface AllocatedDeviceStatus {
  readonly conditions?: readonly meta.Condition[];
  readonly data?: meta.RawExtension;
  readonly device: string;
  readonly driver: string;
  readonly networkData?: NetworkDeviceData;
  readonly pool: string;
  readonly shareID?: string;
}
export interface AllocationResult {
  readonly allocationTimestamp?: meta.Time;
  readonly devices?: DeviceAllocationResult;
  readonly nodeSelector?: coreV1.NodeSelector;
}
export interface CELDeviceSelector {
  readonly expression: string;
}
export interface CapacityRequestPolicy {
  readonly default?: meta.Quantity;
  readonly validRange?: CapacityRequestPolicyRange;
  readonly validValues?: readonly meta.Quantity[];
}
export interface CapacityRequestPolicyRange {
  readonly max?: meta.Quantity;
  readonly min: meta.Quantity;
  readonly step?: meta.Quantity;
}
export interface CapacityRequirements {
  readonly requests?: {readonly [key: string]: meta.Quantity};
}
export interface Counter {
  readonly value: meta.Quantity;
}
export interface CounterSet {
  readonly counters: {readonly [key: string]: Counter};
  readonly name: string;
}
export interface Device {
  readonly allNodes?: boolean;
  readonly allowMultipleAllocations?: boolean;
  readonly attributes?: {readonly [key: string]: DeviceAttribute};
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly bindsToNode?: boolean;
  readonly capacity?: {readonly [key: string]: DeviceCapacity};
  readonly consumesCounters?: readonly DeviceCounterConsumption[];
  readonly name: string;
  readonly nodeName?: string;
  readonly nodeSelector?: coreV1.NodeSelector;
  readonly taints?: readonly DeviceTaint[];
}
export interface DeviceAllocationConfiguration {
  readonly opaque?: OpaqueDeviceConfiguration;
  readonly requests?: readonly string[];
  readonly source: "FromClaim" | "FromClass";
}
export interface DeviceAllocationResult {
  readonly config?: readonly DeviceAllocationConfiguration[];
  readonly results?: readonly DeviceRequestAllocationResult[];
}
export interface DeviceAttribute {
  readonly bool?: boolean;
  readonly int?: number;
  readonly string?: string;
  readonly version?: string;
}
export interface DeviceCapacity {
  readonly requestPolicy?: CapacityRequestPolicy;
  readonly value: meta.Quantity;
}
export interface DeviceClaim {
  readonly config?: readonly DeviceClaimConfiguration[];
  readonly constraints?: readonly DeviceConstraint[];
  readonly requests?: readonly DeviceRequest[];
}
export interface DeviceClaimConfiguration {
  readonly opaque?: OpaqueDeviceConfiguration;
  readonly requests?: readonly string[];
}
export interface DeviceClass {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: DeviceClassSpec;
}
export interface DeviceClassConfiguration {
  readonly opaque?: OpaqueDeviceConfiguration;
}
export interface DeviceClassList {
  readonly apiVersion: string;
  readonly items: readonly DeviceClass[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface DeviceClassSpec {
  readonly config?: readonly DeviceClassConfiguration[];
  readonly extendedResourceName?: string;
  readonly selectors?: readonly DeviceSelector[];
}
export interface DeviceConstraint {
  readonly distinctAttribute?: string;
  readonly matchAttribute?: string;
  readonly requests?: readonly string[];
}
export interface DeviceCounterConsumption {
  readonly counterSet: string;
  readonly counters: {readonly [key: string]: Counter};
}
export interface DeviceRequest {
  readonly exactly?: ExactDeviceRequest;
  readonly firstAvailable?: readonly DeviceSubRequest[];
  readonly name: string;
}
export interface DeviceRequestAllocationResult {
  readonly adminAccess?: boolean;
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly consumedCapacity?: {readonly [key: string]: meta.Quantity};
  readonly device: string;
  readonly driver: string;
  readonly pool: string;
  readonly request: string;
  readonly shareID?: string;
  readonly tolerations?: readonly DeviceToleration[];
}
export interface DeviceSelector {
  readonly cel?: CELDeviceSelector;
}
export interface DeviceSubRequest {
  readonly allocationMode?: "All" | "ExactCount";
  readonly capacity?: CapacityRequirements;
  readonly count?: number;
  readonly deviceClassName: string;
  readonly name: string;
  readonly selectors?: readonly DeviceSelector[];
  readonly tolerations?: readonly DeviceToleration[];
}
export interface DeviceTaint {
  readonly effect: "NoExecute" | "NoSchedule" | "None";
  readonly key: string;
  readonly timeAdded?: meta.Time;
  readonly value?: string;
}
export interface DeviceToleration {
  readonly effect?: "NoExecute" | "NoSchedule" | "None";
  readonly key?: string;
  readonly operator?: "Equal" | "Exists";
  readonly tolerationSeconds?: number;
  readonly value?: string;
}
export interface ExactDeviceRequest {
  readonly adminAccess?: boolean;
  readonly allocationMode?: "All" | "ExactCount";
  readonly capacity?: CapacityRequirements;
  readonly count?: number;
  readonly deviceClassName: string;
  readonly selectors?: readonly DeviceSelector[];
  readonly tolerations?: readonly DeviceToleration[];
}
export interface NetworkDeviceData {
  readonly hardwareAddress?: string;
  readonly interfaceName?: string;
  readonly ips?: readonly string[];
}
export interface OpaqueDeviceConfiguration {
  readonly driver: string;
  readonly parameters: meta.RawExtension;
}
export interface ResourceClaim {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: ResourceClaimSpec;
  readonly status?: ResourceClaimStatus;
}
export interface ResourceClaimConsumerReference {
  readonly apiGroup?: string;
  readonly name: string;
  readonly resource: string;
  readonly uid: string;
}
export interface ResourceClaimList {
  readonly apiVersion: string;
  readonly items: readonly ResourceClaim[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface ResourceClaimSpec {
  readonly devices?: DeviceClaim;
}
export interface ResourceClaimStatus {
  readonly allocation?: AllocationResult;
  readonly devices?: readonly AllocatedDeviceStatus[];
  readonly reservedFor?: readonly ResourceClaimConsumerReference[];
}
export interface ResourceClaimTemplate {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: ResourceClaimTemplateSpec;
}
export interface ResourceClaimTemplateList {
  readonly apiVersion: string;
  readonly items: readonly ResourceClaimTemplate[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface ResourceClaimTemplateSpec {
  readonly metadata?: meta.ObjectMeta;
  readonly spec: ResourceClaimSpec;
}
export interface ResourcePool {
  readonly generation: number;
  readonly name: string;
  readonly resourceSliceCount: number;
}
export interface ResourceSlice {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: ResourceSliceSpec;
}
export interface ResourceSliceList {
  readonly apiVersion: string;
  readonly items: readonly ResourceSlice[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface ResourceSliceSpec {
  readonly allNodes?: boolean;
  readonly devices?: readonly Device[];
  readonly driver: string;
  readonly nodeName?: string;
  readonly nodeSelector?: coreV1.NodeSelector;
  readonly perDeviceNodeSelection?: boolean;
  readonly pool: ResourcePool;
  readonly sharedCounters?: readonly CounterSet[];
}

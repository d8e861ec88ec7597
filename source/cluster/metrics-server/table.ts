// The rows of `kubectl get podmetrics` and `nodemetrics`: a server makes its own tables.
import {addQuantities} from '../../api/meta/quantity.ts';
import type {NodeMetrics, PodMetrics} from './metrics.ts';

const COLUMNS = ['Name', 'cpu', 'memory', 'Window'].map((name, index) => ({
  name,
  type: 'string',
  format: index === 0 ? 'name' : '',
  description: '',
  priority: 0,
}));

/** The table of some measurements. */
export function metricsTable(items: readonly (NodeMetrics | PodMetrics)[]): unknown {
  const rows = items.map(item => {
    const usages = 'usage' in item ? [item.usage] : item.containers.map(container => container.usage);
    const sum = (what: 'cpu' | 'memory') => usages.reduce((total, usage) => addQuantities(total, usage[what]), '0');
    return {
      cells: [item.metadata.name, sum('cpu'), sum('memory'), item.window],
      object: {kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: item.metadata},
    };
  });
  return {kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: {}, columnDefinitions: COLUMNS, rows};
}

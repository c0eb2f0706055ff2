import { type HrTime, ValueType } from '@opentelemetry/api'
import { hrTime, millisToHrTime } from '@opentelemetry/core'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'

/**
 * Lets OpenTelemetry read the metrics that `/metrics` shows, with the same names, labels and buckets, so that one rule
 * works on both ways (its specification calls this a metric producer). There is no second set of instruments.
 */
export function bridgeRegistry(registry: Registry): MetricProducer {
  const startTime = millisToHrTime(performance.timeOrigin)
  return {
    async collect() {
      const all = (await registry.getMetricsAsJSON()) as unknown as ReadonlyArray<MetricObjectWithValues<Value>>
      const endTime = hrTime()
      const metrics = all.flatMap((metric) => translate(metric, startTime, endTime) ?? [])
      return {
        resourceMetrics: {
          // The reader puts its own in its place.
          resource: resourceFromAttributes({}),
          scopeMetrics: [{ scope: { name: 'kim-phien' }, metrics }],
        },
        errors: [],
      }
    },
  }
}

/** A histogram has several values for one set of labels, told apart by this name. */
type Value = MetricValue<string> & { readonly metricName?: string }

function translate(
  { name, help, type, values }: MetricObjectWithValues<Value>,
  startTime: HrTime,
  endTime: HrTime,
): MetricData | null {
  const base = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const at = { startTime, endTime }
  const points = (): Array<DataPoint<number>> =>
    // JSON has no word for the others.
    values
      .filter(({ value }) => Number.isFinite(value))
      .map(({ labels, value }) => ({ ...at, attributes: labels, value }))
  switch (String(type)) {
    case 'counter':
      return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() }
    case 'gauge':
      return { ...base, dataPointType: DataPointType.GAUGE, dataPoints: points() }
    case 'histogram':
      return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(name, values, at) }
    default:
      return null
  }
}

/** Prometheus counts what is up to each bound, OpenTelemetry what lies between two. */
function histograms(
  name: string,
  values: readonly Value[],
  at: { readonly startTime: HrTime; readonly endTime: HrTime },
): Array<DataPoint<Histogram>> {
  const byLabels = new Map<
    string,
    { attributes: Record<string, string | number>; upTo: Array<[number, number]>; sum: number }
  >()
  for (const { labels, value, metricName } of values) {
    const { le, ...attributes } = labels as Record<string, string | number>
    const key = JSON.stringify(attributes)
    let one = byLabels.get(key)
    if (one === undefined) byLabels.set(key, (one = { attributes, upTo: [], sum: 0 }))
    if (metricName === `${name}_sum`) one.sum = value
    else if (le !== undefined) one.upTo.push([le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), value])
  }
  return [...byLabels.values()].map(({ attributes, upTo, sum }) => {
    const sorted = upTo.toSorted(([a], [b]) => a - b)
    return {
      ...at,
      attributes,
      value: {
        buckets: {
          boundaries: sorted.flatMap(([bound]) => (Number.isFinite(bound) ? [bound] : [])),
          counts: sorted.map(([, count], index) => count - (sorted[index - 1]?.[1] ?? 0)),
        },
        sum,
        count: sorted.at(-1)?.[1] ?? 0,
      },
    }
  })
}

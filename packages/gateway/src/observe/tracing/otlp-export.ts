import { DiagLogLevel, diag } from '@opentelemetry/api'
import { ConfigurationError } from '@stickler/core'
import { systemClock, waitAtMost } from '@stickler/core/internal'
import { hasTracer } from './request-spans.ts'

/** Spans that are sent to a collector until it is closed. */
export interface SpanExport {
  /** Sends the remaining spans. */
  close(): Promise<void>
}

const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const
const protocols = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'] as const
const packages = ['@opentelemetry/sdk-trace-node', '@opentelemetry/exporter-trace-otlp-proto', '@opentelemetry/resources']

/** A collector that does not answer must not delay the end of the gateway. */
const longestEndMs = 5000

/**
 * Sends spans to a collector by OTLP, as the standard environment variables of OpenTelemetry say;
 * undefined where they name none, or where the process has a tracer already.
 */
export async function openSpanExport(
  env: Readonly<Record<string, string | undefined>>,
  note: (message: string) => void,
): Promise<SpanExport | undefined> {
  if (!isWanted(env) || hasTracer()) return undefined
  const variable = protocols.find((name) => given(env, name) !== undefined)
  if (variable !== undefined && given(env, variable) !== 'http/protobuf')
    throw new ConfigurationError([{ message: `${variable}: only http/protobuf is supported, at port 4318 of most collectors`, path: [] }])
  const { NodeTracerProvider, BatchSpanProcessor, OTLPTraceExporter, resources } = await load()
  let isTold = false
  const tell = (): void => {
    if (isTold) return
    isTold = true
    // Its own words may have a part of the address or of a header.
    note('spans cannot be sent to the OTLP endpoint; further failures are not reported')
  }
  diag.setLogger({ error: tell, warn: () => {}, info: () => {}, debug: () => {}, verbose: () => {} }, DiagLogLevel.ERROR)
  const named = resources.resourceFromAttributes({ 'service.name': 'stickler' })
  const resource = named.merge(resources.detectResources({ detectors: [resources.envDetector] }))
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] })
  provider.register()
  return { close: () => waitAtMost(provider.shutdown(), { clock: systemClock, timeoutMs: longestEndMs }, tell).catch(tell) }
}

function isWanted(env: Readonly<Record<string, string | undefined>>): boolean {
  if (given(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return false
  const exporters = given(env, 'OTEL_TRACES_EXPORTER')?.split(',')
  if (exporters !== undefined) return exporters.some((name) => name.trim() === 'otlp')
  return endpoints.some((name) => given(env, name) !== undefined)
}

/** By the specification, an empty variable is not set. */
function given(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return env[name]?.trim() || undefined
}

async function load() {
  try {
    const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, resources] = await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/resources'),
    ])
    return { NodeTracerProvider, BatchSpanProcessor, OTLPTraceExporter, resources }
  } catch (cause) {
    const message = `OTLP needs optional packages that are not installed: npm install ${packages.join(' ')}`
    throw Object.assign(new ConfigurationError([{ message, path: [] }]), { cause })
  }
}

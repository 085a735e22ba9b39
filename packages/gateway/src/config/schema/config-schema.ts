import { pluginsSchema } from '@stickler/node/internal/config'
import { parserSchema } from '@stickler/parser/internal/config'
import { assistanceService, parserVariables } from '@stickler/presets/internal'
import * as z from 'zod'
import { readStoreUrl } from '../../records/store-url.ts'
import { upstreamKinds } from '../../upstreams/kinds/index.ts'
import type { UpstreamKind } from '../../upstreams/kinds/upstream-kind.ts'
import { textFor } from '../../upstreams/settings/configuration-problems.ts'
import { variableName } from '../../upstreams/settings/scalars.ts'
import type { WrittenUpstream } from '../../upstreams/settings/written-upstream.ts'
import { askSchema } from './ask-schema.ts'
import { retrievalSchema } from './retrieval-schema.ts'
import { routeSchema } from './route-schema.ts'
import { atRestart, hostSchema } from './scalars.ts'
import { concurrencySchema, serverSchema } from './server-schema.ts'

/** Where runs are recorded. */
export const storeSchema = z
  .strictObject({
    url: textFor(readStoreUrl)
      .exactOptional()
      .describe('sqlite:FILE, relative to this file, or postgres://…; sqlite:.stickler/stickler.db.')
      .register(atRestart, {}),
    urlEnv: variableName({ read: readStoreUrl })
      .exactOptional()
      .describe('The environment variable that holds the address, instead of `url`.')
      .register(atRestart, {}),
    keepText: z.boolean().default(false).describe('Store the texts of answers and feedback; otherwise only issues without quoted text.'),
    onFull: z
      .enum(['serve', 'refuse'])
      .default('serve')
      .describe(
        'What happens to answers that cannot be recorded, for example because the disk is full: serve sends them, refuse rejects with 503. Requests to /ask are always rejected.',
      ),
    retentionDays: z.int().min(1).max(3650).default(30).describe('Days after which runs are deleted.'),
  })
  .refine(({ url, urlEnv }) => url === undefined || urlEnv === undefined, {
    message: 'url and urlEnv are mutually exclusive',
    path: ['urlEnv'],
  })

/** Questions over gRPC. */
const grpcSchema = z.strictObject({
  host: hostSchema.default('127.0.0.1').describe('Address to listen on; 0.0.0.0 for all interfaces.'),
  port: z.int().min(0).max(65_535).default(50_052).describe('0 picks a free port.'),
  tls: z
    .strictObject({
      cert: z.string().min(1).describe('PEM file with the certificate and its chain, relative to this file.'),
      key: z.string().min(1).describe('PEM file with the key of the certificate, relative to this file.'),
    })
    .exactOptional()
    .describe('Without it the connection is not encrypted.'),
})

/** What `stickler eval` requires of a contract. */
const evaluationSchema = z.strictObject({
  baseline: z.string().trim().min(1).optional().describe('The file with the verdicts that were accepted; relative to the current folder.'),
  minValid: z.number().min(0).max(1).optional().describe('The least share of answers that keep the contract, repaired ones included.'),
  maxUnchecked: z.int().min(0).optional().describe('The most answers that could not be checked.'),
  maxNewFailures: z
    .int()
    .min(0)
    .optional()
    .describe('The most answers that fail and passed before, are new, or are missing; needs a baseline or `--against`.'),
})

/** Upstreams by kind. */
function upstreamSchemaOf(kinds: readonly UpstreamKind[]): z.ZodType<WrittenUpstream> {
  return z.discriminatedUnion('kind', kinds.map(({ schema }) => schema) as [UpstreamKind['schema'], ...UpstreamKind['schema'][]])
}

/** Upstreams of the built-in kinds. */
export const upstreamSchema = upstreamSchemaOf(upstreamKinds)

/** Everything that a `stickler.yaml` may hold. */
export const configSchema = configSchemaOf(upstreamKinds)

/** Everything that a configuration with upstreams of these kinds may hold. */
export function configSchemaOf(kinds: readonly UpstreamKind[]) {
  return z.strictObject({
    server: serverSchema.prefault({}).describe('Where and how the gateway listens.'),
    limits: z
      .strictObject({
        perKey: z
          .strictObject({
            concurrency: concurrencySchema.describe(
              'Maximum concurrent requests of one key per process. Also known as `server.perKey.concurrency`; this one wins.',
            ),
          })
          .prefault({})
          .describe('What each key may use.'),
      })
      .prefault({})
      .describe('The same as `server.perKey.concurrency`, which it replaces.'),
    store: storeSchema.prefault({}).describe('Where runs are recorded.'),
    upstreams: z.array(upstreamSchemaOf(kinds)).default([]).describe('Model providers; the first is the default.'),
    plugins: pluginsSchema,
    // What a contract may hold is for the library to say.
    contracts: z.record(z.string(), z.looseObject({})).default({}).describe('Contracts by name.'),
    evaluation: z.record(z.string(), evaluationSchema).default({}).describe('What `stickler eval` requires, by the name of the contract.'),
    routes: z.array(routeSchema).default([]).describe('Maps each model name to an upstream and a contract.'),
    retrieval: retrievalSchema.exactOptional().describe('Where passages for pipelines come from.'),
    ask: askSchema.exactOptional().describe('Questions about sources: POST /ask.'),
    grpc: grpcSchema
      .exactOptional()
      .describe(`Questions over gRPC: ${assistanceService.name}; needs \`ask.pipeline\`.`)
      .register(atRestart, {}),
    parser: parserSchema.exactOptional().describe(`The parser for code: its address, or settings. ${parserVariables.url}, else local.`),
    log: z
      .strictObject({
        level: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('The lowest level of lines that are written.'),
        format: z
          .enum(['auto', 'json', 'text'])
          .default('auto')
          .describe('How `stickler serve` writes them: as JSON, as text for people, or as text only on a terminal.')
          .register(atRestart, {}),
      })
      .prefault({})
      .describe('Logging.'),
    metrics: z
      .strictObject({ enabled: z.boolean().default(true).describe('Serve /metrics.') })
      .prefault({})
      .describe('Metrics for Prometheus, at /metrics.'),
  })
}

/** The schema of a whole configuration. */
export type ConfigSchema = typeof configSchema

/** The content of a `stickler.yaml`, with defaults filled in. */
export type ConfigValue = z.output<ConfigSchema>

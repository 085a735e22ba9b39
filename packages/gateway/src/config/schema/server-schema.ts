import * as z from 'zod'
import { durationSchema, inMs, variableName } from '../../upstreams/settings/scalars.ts'
import { addressRangeSchema, atRestart, calledHostSchema, hostSchema, originSchema } from './scalars.ts'

/** How many requests of a key may run at a time. */
export const concurrencySchema = z
  .int()
  .positive()
  .exactOptional()
  .describe(
    'Maximum concurrent requests of one key per process; more are rejected with 429 and retry-after. Also known as `limits.perKey.concurrency`.',
  )

const keyringName = variableName({ isKeyring: true })

/** Where and how the gateway listens. */
export const serverSchema = z.strictObject({
  host: hostSchema.default('127.0.0.1').describe('Address to listen on; 0.0.0.0 for all interfaces.').register(atRestart, {}),
  port: z.int().min(0).max(65_535).default(8787).describe('0 picks a free port.').register(atRestart, {}),
  keysEnv: keyringName
    .exactOptional()
    .describe(
      'The environment variable with the API keys of clients, such as name:key, separated by commas; STICKLER_KEYS, when it is set.',
    ),
  operatorKeysEnv: keyringName
    .exactOptional()
    .describe(
      'The environment variable with the API keys of operators, who see all runs and metrics but cannot call models; STICKLER_OPERATOR_KEYS, when it is set.',
    ),
  admin: z
    .strictObject({
      host: hostSchema.default('127.0.0.1').describe('Address to listen on for operators.'),
      port: z.int().min(0).max(65_535).describe('0 picks a free port.'),
    })
    .exactOptional()
    .describe("A separate listener for probes, metrics, the dashboard and the operators' API, which are then not served on the main one.")
    .register(atRestart, {}),
  workers: z.int().min(1).max(64).default(1).describe('Processes that share the port.').register(atRestart, {}),
  bodyLimit: z
    .int()
    .min(1024)
    .max(256 * 1024 * 1024)
    .default(4 * 1024 * 1024)
    .describe('Maximum bytes of a request body.')
    // The gRPC server sets its largest message once.
    .register(atRestart, { only: 'over gRPC' }),
  inFlight: z
    .int()
    .min(1)
    .max(100_000)
    .default(512)
    .describe('Maximum concurrent requests per process; more are rejected with retry-after.'),
  heartbeat: durationSchema.prefault(10).describe('Seconds between keep-alive messages while text is held back.'),
  shutdownGrace: z
    .number()
    .nonnegative()
    .max(86_400)
    .transform(inMs)
    .prefault(10)
    .describe('Seconds that requests get to finish at shutdown.'),
  allowedHosts: z
    .array(calledHostSchema)
    .default([])
    .describe('Host names that clients may use; when empty, those of this machine, or any when there are keys.'),
  origins: z.array(originSchema).default([]).describe('Origins allowed to call from a browser.'),
  trustedProxies: z.array(addressRangeSchema).default([]).describe('Proxies whose x-forwarded-for is trusted.'),
  perKey: z
    .strictObject({
      requestsPerMinute: z.int().positive().exactOptional().describe('Requests per minute.'),
      concurrency: concurrencySchema,
      tokensPerDay: z.int().positive().exactOptional().describe('Prompt and completion together, per day (UTC).'),
      usdPerDay: z.number().positive().exactOptional().describe('Dollars per day (UTC); needs the `price` of upstreams.'),
      completionTokens: z.int().positive().exactOptional().describe('Completion tokens assumed for a request without a limit; 4096.'),
    })
    .prefault({})
    .describe('What each key may use; unlimited where not set.'),
  judging: z
    .strictObject({
      threshold: z
        .int()
        .min(1024)
        .max(256 * 1024 * 1024)
        .default(65_536)
        .describe('Answers with more characters are checked in threads.'),
      threads: z.int().min(1).max(64).exactOptional().describe('Threads per process; by default one less than its share of the cores.'),
      deadline: durationSchema
        .prefault(5)
        .describe('Maximum seconds for the checks or the repair of one answer; then its thread is terminated.'),
      queue: z.int().min(0).max(100_000).default(256).describe('Maximum answers waiting for a thread; more are unchecked.'),
      memory: z.int().min(32).max(16_384).default(256).describe('Maximum memory for the checks of one thread, in megabytes.'),
    })
    .prefault({})
    .describe(
      'Where large answers are judged, and every answer for validators from outside, shadow contracts and contracts that are tried.',
    ),
  deadline: durationSchema.prefault(300).describe('Maximum seconds for one request, including all attempts.'),
})

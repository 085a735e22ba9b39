import { ConfigurationError } from '@stickler/core'
import { unknownName } from '@stickler/core/internal'
import { gatewayVariables, upstreamSchema } from '@stickler/gateway/internal'
import type { Config } from '../config/files.ts'
import { UsageError } from '../errors.ts'
import type { Io } from '../io.ts'
import { loadRunner, type OpenRunner } from './load-runner.ts'

/** What the command line says about the model. */
export interface UpstreamFlags {
  readonly upstream?: string
  readonly baseUrl?: string
  readonly model?: string
  readonly keyEnv?: string
  readonly root?: string
}

/** Finds the model that the command line names: a configured one, the first of these, or one at a base URL. */
export async function chooseUpstream(flags: UpstreamFlags, config: Config | undefined, io: Pick<Io, 'env' | 'cwd'>): Promise<OpenRunner> {
  if (flags.baseUrl !== undefined) return atAddress(flags, io)
  if (flags.keyEnv !== undefined) throw new UsageError('--key-env requires --base-url; in a configuration, use apiKeyEnv')
  const upstreams = config?.value.upstreams ?? []
  const index = flags.upstream === undefined ? 0 : upstreams.findIndex(({ name }) => name === flags.upstream)
  const upstream = upstreams[index]
  if (config === undefined || upstream === undefined) {
    if (flags.upstream !== undefined && upstreams.length > 0) {
      throw new UsageError(
        unknownName(
          'upstream',
          flags.upstream,
          upstreams.map(({ name }) => name),
        ),
      )
    }
    throw new UsageError(
      'there is no upstream to ask; pass --base-url and --model, or configure one: `stickler init` writes a stickler.yaml',
    )
  }
  const choices = { model: flags.model, root: flags.root, withhold: gatewayVariables(config.value) }
  return config.within(['upstreams', index], await loadRunner(upstream, io, choices))
}

async function atAddress({ upstream, baseUrl, model, keyEnv }: UpstreamFlags, io: Pick<Io, 'env' | 'cwd'>): Promise<OpenRunner> {
  if (upstream !== undefined) throw new UsageError('--upstream and --base-url exclude each other')
  if (model === undefined) throw new UsageError('--base-url needs --model')
  const written = { name: 'command line', kind: 'openai', baseUrl, model, ...(keyEnv === undefined ? {} : { apiKeyEnv: keyEnv }) }
  const parsed = upstreamSchema.safeParse(written)
  if (!parsed.success) throw new UsageError(parsed.error.issues.map(describeProblem).join('\n'))
  try {
    return (await loadRunner(parsed.data, io))()
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    throw new UsageError(error.problems.map(describeProblem).join('\n'))
  }
}

function describeProblem({ message, path }: { readonly message: string; readonly path: readonly PropertyKey[] }): string {
  return `${path[0] === 'apiKeyEnv' ? '--key-env' : '--base-url'}: ${message}`
}

import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { ConfigurationError, type Runner } from '@stickler/core'
import {
  createConfigured,
  needVariables,
  resolveUpstream,
  runUpstream,
  type UpstreamConfig,
  upstreamSchema,
  type WrittenUpstream,
} from '@stickler/gateway/internal'
import type { Io } from '../io.ts'

/** Settings of an upstream beside its configuration. */
interface RunnerChoices {
  /** Replaces the configured model. */
  readonly model?: string | undefined
  /** The working directory of a command unless its upstream names one; the current folder by default. */
  readonly root?: string | undefined
  /** Environment variables that are hidden from a command unless its `env` names them. */
  readonly withhold?: readonly string[]
}

/** The runner of an upstream. */
export interface OpenRunner {
  readonly runner: Runner
  /** Closes its connections. */
  close(): Promise<void>
}

/** Loads an upstream; the returned function creates its runner and throws a ConfigurationError for invalid settings. Secrets come from the environment. */
export async function loadRunner(
  written: WrittenUpstream,
  io: Pick<Io, 'env' | 'cwd'>,
  { withhold = [], ...choices }: RunnerChoices = {},
): Promise<() => OpenRunner> {
  const config = await resolveUpstream(written, { env: io.env, withhold })
  return () => {
    needVariables(upstreamSchema, written, io.env)
    return runnerOf(config, io.cwd, choices)
  }
}

function runnerOf(config: UpstreamConfig, cwd: string, { model, root = '.' }: Omit<RunnerChoices, 'withhold'>): OpenRunner {
  const { maker, settings } = config
  const own = maker.runner?.(settings, { model, folder: resolve(cwd, root) })
  if (own !== undefined) return { runner: own, close: async () => {} }
  const chosen = model ?? config.model
  if (chosen === undefined) throw new ConfigurationError([{ path: ['model'], message: 'is missing; write it here or pass --model' }])
  const upstream = createConfigured(config)
  return { runner: runUpstream(upstream, { model: chosen, requestId: randomUUID }), close: () => upstream.close() }
}

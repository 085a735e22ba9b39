import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConfigOverrides, demoConfig, type GatewayConfig, overrideConfig, readGatewayConfig } from '@stickler/gateway'
import { indexDemo } from '@stickler/gateway/internal'
import { configName } from '../config/config-name.ts'
import { asUsage, findConfig, surroundings } from '../config/files.ts'
import { UsageError } from '../errors.ts'
import type { Io } from '../io.ts'
import { freshPlugins } from '../plugins.ts'

/** What the command line says about the configuration. */
export interface SourceFlags extends ConfigOverrides {
  readonly config?: string
  readonly demo?: true
  /** Whether the demo sends requests of its own; false only where the command line says so. */
  readonly traffic?: boolean
}

/** Reads the configuration, each time it is called. */
export interface ConfigSource {
  load(): Promise<GatewayConfig>
  /** Removes temporary files. */
  dispose(): Promise<void>
}

/** Finds the configuration that the command line asks for. */
export async function openConfigSource(flags: SourceFlags, io: Pick<Io, 'env' | 'cwd'>): Promise<ConfigSource> {
  if (flags.demo && flags.config !== undefined) throw new UsageError('--demo and --config exclude each other')
  if (flags.traffic === false && !flags.demo) throw new UsageError('--no-traffic needs --demo')
  const over = (config: GatewayConfig): GatewayConfig => asUsage(() => overrideConfig(config, flags, io.cwd), '--store')
  if (!flags.demo) return { load: async () => over(await loadServed(flags.config, io)), dispose: async () => {} }
  // Invalid keys fail before anything is created.
  await demoConfig(tmpdir(), io.env)
  const folder = await mkdtemp(join(tmpdir(), 'stickler-demo-'))
  await indexDemo(await demoConfig(folder))
  return { load: async () => over(await demoConfig(folder, io.env)), dispose: () => rm(folder, { recursive: true, force: true }) }
}

/** Reads the named configuration, or the one in the folder, for serving; see `readGatewayConfig` for the options. */
export async function loadServed(
  file: string | undefined,
  io: Pick<Io, 'env' | 'cwd'>,
  options?: { readonly contractsAlone?: boolean },
): Promise<GatewayConfig> {
  const source = await findConfig(file, io.cwd)
  if (source === undefined) {
    throw new UsageError(`there is no ${configName}; \`stickler init\` writes one, and \`stickler serve --demo\` needs none`)
  }
  return readGatewayConfig(source, file ?? configName, { ...surroundings(io), plugins: freshPlugins }, options)
}

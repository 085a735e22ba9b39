import type { ConfigFile, ConfigSurroundings } from '@stickler/gateway/config'
import { readRegularFile } from '@stickler/node/files'
import type { Io } from '../io.ts'

/** Larger configurations, contracts and schemas are rejected, in bytes. */
export const largestFile = 16 * 1024 * 1024

/** A valid configuration file. */
export type Config = ConfigFile

/** What reading a configuration requires. */
export function surroundings({ env, cwd, plugins }: Pick<Io, 'env' | 'cwd' | 'plugins'>): ConfigSurroundings {
  return { env, cwd, readFile: (path) => readRegularFile(path, largestFile), plugins: plugins?.open }
}

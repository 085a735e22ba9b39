import { readRegularFile } from '@stickler/core/node'
import type { ConfigFile, ConfigSurroundings } from '@stickler/gateway/config'
import type { Io } from '../io.ts'

/** The name of the configuration file that is looked for. */
export const configName = 'stickler.yaml'

/** Larger configurations, contracts and schemas are refused, in bytes. */
export const largestFile = 16 * 1024 * 1024

/** A configuration file in which nothing is wrong. */
export type Config = ConfigFile

/** What reading a configuration needs of the world. */
export function surroundings({ env, cwd, plugins }: Pick<Io, 'env' | 'cwd' | 'plugins'>): ConfigSurroundings {
  return { env, cwd, readFile: (path) => readRegularFile(path, largestFile), plugins: plugins?.open }
}

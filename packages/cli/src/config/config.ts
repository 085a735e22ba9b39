import { readFile } from 'node:fs/promises'
import type { ConfigFile, ConfigSurroundings } from '@stickler/gateway'
import type { Io } from '../io.ts'

/** The name of the configuration file that is looked for. */
export const configName = 'stickler.yaml'

/** A configuration file in which nothing is wrong. */
export type Config = ConfigFile

/** What reading a configuration needs of the world. */
export function surroundings({ env, cwd }: Pick<Io, 'env' | 'cwd'>): ConfigSurroundings {
  return { env, cwd, readFile: (path) => readFile(path, 'utf8') }
}

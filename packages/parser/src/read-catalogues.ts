import { resolve } from 'node:path'
import { ConfigurationError } from '@stickler/core'
import { parseJson } from '@stickler/core/internal'
import { readNamedFile } from '@stickler/node/internal/files'
import type { Catalogues } from './languages/with-catalogues.ts'

/** Catalogues and certificates are smaller. */
export const largestFile = 4 * 1024 * 1024

/** Reads the JSON files of catalogues, given by the name of their language. */
export async function readCatalogues(files: Readonly<Record<string, string>>, folder: string): Promise<Catalogues> {
  const read = await Promise.all(
    Object.entries(files).map(async ([name, file]) => [name, await readJson(name, resolve(folder, file))] as const),
  )
  return Object.fromEntries(read)
}

async function readJson(name: string, file: string): Promise<unknown> {
  const wrong = (message: string): ConfigurationError => new ConfigurationError([{ path: ['catalogues', name], message }])
  const value = parseJson(await readNamedFile(file, largestFile, wrong))
  if (value === undefined) throw wrong(`${file} is not JSON`)
  return value
}

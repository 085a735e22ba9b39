import { resolve } from 'node:path'
import { ConfigurationError } from '@stickler/core'
import type { Catalogues } from './languages/with-catalogues.ts'
import { readText } from './read-text.ts'

/** Reads the JSON files of catalogues, given by the name of their language. */
export async function readCatalogues(files: Readonly<Record<string, string>>, folder: string): Promise<Catalogues> {
  const read = await Promise.all(
    Object.entries(files).map(async ([name, file]) => [name, await readJson(name, resolve(folder, file))] as const),
  )
  return Object.fromEntries(read)
}

async function readJson(name: string, file: string): Promise<unknown> {
  const wrong = (message: string): ConfigurationError => new ConfigurationError([{ path: ['catalogues', name], message }])
  const text = await readText(file, wrong)
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(`${file} is not JSON`)
  }
}

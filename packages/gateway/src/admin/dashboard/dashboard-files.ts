import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A built file of the dashboard, also in its compressed forms. */
export interface DashboardFile {
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly br?: Uint8Array
  readonly gzip?: Uint8Array
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Reads the built files on first request; names that were not built lead nowhere. */
export function dashboardFiles(): (name: string) => Promise<DashboardFile | undefined> {
  let reading: Promise<ReadonlyMap<string, DashboardFile>> | undefined
  return async (name) => {
    reading ??= readAll()
    try {
      return (await reading).get(name)
    } catch (error) {
      // A failed read may succeed the next time.
      reading = undefined
      throw error
    }
  }
}

async function readAll(): Promise<ReadonlyMap<string, DashboardFile>> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@stickler/gateway/package.json')), 'dist/dashboard')
  const assets = (await readdir(join(folder, 'assets'))).map((name) => `assets/${name}`)
  const files = new Map<string, DashboardFile>()
  for (const name of ['index.html', 'deeper.html', ...assets]) {
    const contentType = types[name.slice(name.lastIndexOf('.') + 1)]
    if (contentType === undefined) continue
    const [bytes, br, gzip] = await Promise.all(['', '.br', '.gz'].map((ending) => readFile(join(folder, name + ending))))
    if (bytes !== undefined) files.set(name, { contentType, bytes, ...(br && { br }), ...(gzip && { gzip }) })
  }
  return files
}

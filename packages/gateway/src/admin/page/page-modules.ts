import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const suffix = '.js'

/** Reads the modules of the page, as the build has written them, when they are first asked for. */
export function pageModules(): (name: string) => Promise<string | undefined> {
  let reading: Promise<ReadonlyMap<string, string>> | undefined
  return async (name) => {
    reading ??= readAll()
    try {
      return (await reading).get(name)
    } catch (error) {
      // What could not be read may be readable the next time.
      reading = undefined
      throw error
    }
  }
}

async function readAll(): Promise<ReadonlyMap<string, string>> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@stickler/gateway')), 'admin/page/browser')
  const names = (await readdir(folder)).filter((name) => name.endsWith(suffix))
  return new Map(
    await Promise.all(names.map(async (name): Promise<[string, string]> => [name, await readFile(join(folder, name), 'utf8')])),
  )
}

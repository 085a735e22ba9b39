import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '@stickler/core/internal'
import { readRegularFile } from '@stickler/node/internal/files'
import * as z from 'zod'
import { progressFiles, progressSchema } from './progress-format.ts'

const { prefix, suffix, everyMs, keptMs, largestBytes } = progressFiles
const mostListed = 50
/** The most files that are read: some may be no progress at all. */
const mostRead = 10 * mostListed
/** After this silence the command has been killed. */
const silentMs = 15 * everyMs
const idPattern = /^[\w-]{1,64}$/

/** An evaluation under way as the API lists it. */
export function runningSchema() {
  return progressSchema.extend({ id: z.string(), at: z.number().describe('When it was last heard of, in milliseconds since 1970.') })
}

/** Lists evaluations that have not ended, the last one heard of first; one that is silent has stopped. */
export async function listRunning(folder: string | undefined, now: number): Promise<readonly object[]> {
  if (folder === undefined) return []
  const names = (await readdir(folder).catch(() => [])).filter(
    (name) => name.startsWith(prefix) && name.endsWith(suffix) && idPattern.test(name.slice(prefix.length, -suffix.length)),
  )
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const file = await stat(path).catch(() => undefined)
      const at = Math.trunc(file?.mtimeMs ?? 0)
      return file?.isFile() && now - at <= keptMs ? [{ path, id: name.slice(0, -suffix.length), at }] : []
    }),
  )
  const last = files
    .flat()
    .sort((a, b) => b.at - a.at)
    .slice(0, mostRead)
  const found = await Promise.all(
    last.map(async ({ path, id, at }) => {
      const said = progressSchema.safeParse(parseJson(await readRegularFile(path, largestBytes).catch(() => '')))
      if (!said.success) return []
      const status = now - at > silentMs ? 'stopped' : said.data.status
      return [{ ...said.data, status, id, at, perSecond: status === 'stopped' ? 0 : said.data.perSecond }]
    }),
  )
  return found.flat().slice(0, mostListed)
}

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '@stickler/core/internal'
import { readRegularFile } from '@stickler/node/internal/files'
import * as z from 'zod'

const suffix = '.progress'
const mostListed = 50
const largestFile = 16 * 1024
/** The command writes every two seconds: after this silence it has been killed. */
const silentMs = 30_000
/** An evaluation that was not continued for so long is not listed. */
const forgottenMs = 7 * 86_400_000
const namePattern = /^run_[\w-]{1,64}$/

/** What `stickler eval --save` writes of itself; anybody may have written the file. */
const fileSchema = z.object({
  name: z.string().max(4096),
  contract: z.string().max(4096),
  against: z.string().max(4096).optional(),
  status: z.enum(['running', 'stopped']),
  startedAt: z.number().min(0).max(8.64e15),
  answers: z.int().min(0),
  perSecond: z.int().min(0),
  queued: z.int().min(0).optional(),
  workers: z.int().min(0).optional(),
  share: z.number().min(0).max(1).optional(),
})

/** An evaluation under way as the API lists it. */
export function runningSchema() {
  return fileSchema.extend({ id: z.string(), at: z.number().describe('When it was last heard of, in milliseconds since 1970.') })
}

/** Lists evaluations that have not ended, the last one heard of first; one that is silent has stopped. */
export async function listRunning(folder: string | undefined, now: number): Promise<readonly object[]> {
  const names = folder === undefined ? [] : await readdir(folder).catch(() => [])
  const files = names.filter((name) => name.endsWith(suffix) && namePattern.test(name.slice(0, -suffix.length))).slice(0, 10 * mostListed)
  const found = await Promise.all(
    files.map(async (name) => {
      const path = join(folder ?? '', name)
      const file = await stat(path).catch(() => undefined)
      const at = Math.trunc(file?.mtimeMs ?? 0)
      if (!file?.isFile() || now - at > forgottenMs) return []
      const said = fileSchema.safeParse(parseJson(await readRegularFile(path, largestFile).catch(() => '')))
      if (!said.success) return []
      const status = now - at > silentMs ? 'stopped' : said.data.status
      return [{ ...said.data, status, id: name.slice(0, -suffix.length), at, perSecond: status === 'stopped' ? 0 : said.data.perSecond }]
    }),
  )
  return found
    .flat()
    .sort((a, b) => b.at - a.at)
    .slice(0, mostListed)
}

import { mkdir, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isFields } from '@stickler/core/internal'
import { readRegularFile } from '@stickler/node/internal/files'
import type { BlockCounts } from '@stickler/node/internal/hooks'
import { isMissing } from '../files/why-not.ts'
import { replaceFile } from '../files/write-file.ts'
import type { Io } from '../io.ts'

const largestCount = 4096

/** Counts in one small file per session, since every event is a process of its own. */
export function fileCounts({ env }: Pick<Io, 'env'>): BlockCounts {
  const folder = join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'stickler', 'hooks')
  const fileOf = async (session: string): Promise<string> => {
    // Only turns are counted, and loading it takes as long as judging.
    const { createHash } = await import('node:crypto')
    return join(folder, `${createHash('sha256').update(session).digest('hex').slice(0, 32)}.json`)
  }
  return {
    async get(session) {
      try {
        const { count, prompt }: { count?: unknown; prompt?: unknown } = readObject(
          await readRegularFile(await fileOf(session), largestCount),
        )
        if (!Number.isSafeInteger(count)) throw new Error('the count is damaged')
        return { count: count as number, ...(typeof prompt === 'string' && { prompt }) }
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    async set(session, blocks) {
      if (blocks === undefined) return rm(await fileOf(session), { force: true })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await replaceFile(await fileOf(session), `${JSON.stringify(blocks)}\n`)
    },
  }
}

function readObject(text: string): object {
  const value: unknown = JSON.parse(text)
  return isFields(value) ? value : {}
}

import { realpath } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { Answer, type CheckOptions, type Contract, settle } from '@stickler/core'
import { isWithin, readRegularBytes } from '@stickler/node/internal/files'
import { UsageError } from '../errors.ts'
import { whyNot } from '../files/why-not.ts'
import { replaceFile } from '../files/write-file.ts'
import type { Checked, Fix } from '../reports/file-result.ts'
import { largestText, type ReadText } from './inputs.ts'

const byteOrderMark = '\ufeff'

/** The repaired text of a file, with its byte order mark; undefined when there is nothing to repair, or the reason why it cannot be repaired. */
export async function repairedText(
  { answer, settled }: Checked,
  read: ReadText,
  contract: Contract,
  options: CheckOptions,
): Promise<Fix | undefined> {
  const { text } = answer
  if (settled.status !== 'repaired' || settled.text === text) return undefined
  if (!settled.delivered) return { kind: 'refused', reason: 'the contract does not deliver the repaired text' }
  if (read.damaged) return { kind: 'refused', reason: 'it is not UTF-8' }
  if (settled.toolCalls.length !== answer.toolCalls.length)
    return { kind: 'refused', reason: 'tool calls in the text cannot be kept in a file' }
  const mark = read.hasMark ? byteOrderMark : ''
  for (const after of asInFile(text, settled.text)) {
    // Check the text exactly as it will be read back.
    const again = await settle(contract, new Answer(after), options)
    if (again.status === 'valid') return { kind: 'proposed', before: mark + text, after: mark + after }
  }
  return { kind: 'refused', reason: 'the repaired text does not keep the contract when it is checked again' }
}

/** The repaired text with the file's line breaks and final newline, where the contract allows that; otherwise as repaired. */
function asInFile(text: string, repaired: string): readonly string[] {
  const isWindows = /\r\n/.test(text) && !/(?:^|[^\r])\n/.test(text)
  const broken = isWindows ? repaired.replace(/\r?\n/g, '\r\n') : repaired
  const ended = /[\r\n]$/.test(text) && !/[\r\n]$/.test(broken) ? broken + (isWindows ? '\r\n' : '\n') : broken
  return [...new Set([ended, broken, repaired])]
}

/** Replaces a file atomically, unless it has changed since it was read or a link leads elsewhere. */
export async function writeFix(file: string, fix: Extract<Fix, { kind: 'proposed' }>, cwd: string): Promise<Fix> {
  const path = resolve(cwd, file)
  try {
    const folder = await realpath(dirname(path))
    if (isWithin(path, cwd) && !isWithin(folder, await realpath(cwd)))
      throw new UsageError('a symbolic link in its path leads outside the current folder')
    const place = resolve(folder, basename(path))
    const expected = Buffer.from(fix.before)
    await replaceFile(place, fix.after, async () => {
      if (!expected.equals(await readRegularBytes(place, largestText))) throw new UsageError('it changed during the check')
    })
    return { kind: 'written' }
  } catch (error) {
    return { kind: 'refused', reason: whyNot(error) }
  }
}

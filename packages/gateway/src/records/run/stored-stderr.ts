import type { ProcessNotes } from '@stickler/core/internal/relay'
import { createRedactor } from '../masking/redact.ts'

/** Maximum number of stored characters; a text of that length may have lost its beginning. */
const longest = 8192

const redact = createRedactor()

/** Known failures of a command, by the names that are stored without texts. */
const known: readonly (readonly [name: string, sign: RegExp])[] = [
  ['session not found', /no conversation found/i],
  ['session in use', /is already in use/i],
  ['not logged in', /not logged in|please run \/login|invalid api key|authentication[_ ]error|oauth token has expired|\b401\b/i],
  ['no permission', /permission denied|\beacces\b|forbidden|\b403\b/i],
  ['rate limit', /rate[_ -]?limit|too many requests|usage limit|\b429\b/i],
  ['no credit', /credit balance|billing|quota/i],
  ['overloaded', /overloaded|\b529\b/i],
  ['prompt too long', /prompt is too long|context (?:window|length)/i],
  ['unknown model', /model not found|issue with the selected model|not_found_error/i],
  ['unknown option', /unknown (?:option|argument)/i],
  ['command not found', /command not found/i],
  ['file not found', /\benoent\b|no such file or directory|cannot find module/i],
  ['no connection', /\b(?:econnrefused|econnreset|enotfound|etimedout|eai_again)\b|fetch failed|connection error/i],
  ['timeout', /timed out|timeout/i],
  ['certificate', /certificate/i],
  ['out of memory', /out of memory|\benomem\b/i],
  ['MCP', /\bmcp\b/i],
]

const sizeOnly = /^(?:exit code -?\d{1,9}, )?\d{1,9} lines?, \d{1,9}(?: or more)? characters(?:: ([\w ,]{1,400}))?$/

/** The stored and logged part of a command's error stream: its end without secrets, or without texts only its size and known failures. */
export function keptStderr({ stderr = '', exitCode }: Pick<ProcessNotes, 'stderr' | 'exitCode'>, keepText: boolean): string {
  if (stderr.trim() === '') return ''
  if (keepText) return redact(wholeLines(stderr)).trim()
  const lines = stderr.trimEnd().split(/\r\n|[\r\n]/).length
  const size = `${lines} ${lines === 1 ? 'line' : 'lines'}, ${stderr.length}${stderr.length < longest ? '' : ' or more'} characters`
  const found = known.filter(([, sign]) => sign.test(stderr)).map(([name]) => name)
  return `${exitCode === undefined ? '' : `exit code ${exitCode}, `}${size}${found.length === 0 ? '' : `: ${found.join(', ')}`}`
}

/** Reduces a stored error stream to its form without texts. */
export function stderrWithoutWords(kept: string): string {
  const found = sizeOnly.exec(kept)
  const isOwn = found !== null && (found[1] === undefined || found[1].split(', ').every((one) => known.some(([name]) => name === one)))
  return isOwn ? kept : keptStderr({ stderr: kept }, false)
}

/** A secret whose beginning was cut off would not be recognised. */
function wholeLines(stderr: string): string {
  if (stderr.length < longest) return stderr
  const end = stderr.search(/\s/)
  return end === -1 ? '' : stderr.slice(end + 1)
}

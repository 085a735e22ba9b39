import { createRedactor } from '../observe/redact.ts'

/** Most characters that are kept; a text of that length may have lost its beginning. */
const longest = 8192

const redact = createRedactor()
const word = /[\p{L}\p{N}_]{3,}/gu

/** Words of diagnoses, which stay although somebody has also said them. */
const diagnostic: ReadonlySet<string> = new Set(
  `access account allowed and api authentication auth balance billing cannot cli closed code command config configuration connect connection context
  conversation could credit credits denied does econnrefused econnreset enoent error errors etimedout exceeded exist exit expired failed file
  for found from has invalid key limit limits log login long low mcp memory message missing model network node not oauth out overloaded path permission please plugin process
  prompt proxy quota rate refused request response run server session settings spawn status stderr stdin stdout subscription the timed timeout
  token tokens too tool unable unauthorized unknown usage use version warning was while with`.split(/\s+/),
)

/** What a command wrote to its error stream, as it is kept and logged: secrets and, where texts are not kept, words of the conversation are taken out. */
export function keptStderr(stderr: string, conversation: readonly string[] | undefined): string {
  const safe = redact(wholeLines(stderr))
  if (conversation === undefined) return safe.trim()
  const said = new Set(conversation.flatMap((text) => text.toLowerCase().match(word) ?? []))
  const isSaid = (one: string): boolean => said.has(one) && !diagnostic.has(one)
  return safe.replace(word, (one) => (isSaid(one.toLowerCase()) ? '*' : one)).trim()
}

/** A secret that was cut at the beginning would not be recognised. */
function wholeLines(stderr: string): string {
  if (stderr.length < longest) return stderr
  const end = stderr.search(/\s/)
  return end === -1 ? '' : stderr.slice(end + 1)
}

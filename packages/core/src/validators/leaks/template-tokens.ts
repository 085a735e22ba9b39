/** A token of a chat template in a text. */
export interface TemplateToken {
  readonly start: number
  readonly end: number
  /** Whether it starts or ends a turn, so that what follows is not the answer. */
  readonly endsTurn: boolean
  /** Whether it is found only at the end of an answer: elsewhere people write it too. */
  readonly onlyAtEnd: boolean
}

/** Tokens are not longer, and with characters that cannot be seen not longer than that. */
const longestToken = 48
const longestHidden = 240

const unseen = /\p{Default_Ignorable_Code_Point}/u

/** A token at any place: ChatML, Llama, Phi, Qwen, Command R and gpt-oss; DeepSeek; Mistral; Gemma; T5 and bytes; at last what is HTML too, or written about. */
const tokenPattern =
  // backtracks: from one start it reads at most 42 characters
  /<\|[A-Za-z][\w./: -]{0,38}\|>|<\|(?:turn|channel|think)>|<(?:turn|channel|think)\|>|<｜[^｜<>\n]{1,38}｜>|\[\/?(?:INST|SYSTEM_PROMPT|THINK|UNUSED_TOKEN_\d{1,4})\]|<<\/?SYS>>|<(?:start|end)_of_(?:turn|utterance)>|<\/?think>|<extra_id_\d{1,3}>|<unused\d{1,4}>|<0x[0-9A-F]{2}>|<\/s>|<(?:eos|pad|unk)>/g

/** What may go on as a token. */
const unfinished = /^(?:<(?:\|(?:[A-Za-z][\w./: -]*\|?)?|｜[^｜<>\n]*｜?|<?\/?\w*[|>]?)?|\[\/?[A-Z_\d]*)$/

const closings = /^<(?:\/s|eos|pad|unk)>$/
const turns =
  /^<[|｜](?:im_(?:start|end)|e(?:ot|om)(?:_id)?|end|endoftext|(?:begin|end)[▁_]of[▁_](?:text|turn|sentence)|start_header_id|user|assistant|system|human|(?:start|end)_of_turn_token|return)[|｜]>$|^\[INST\]$|^<(?:(?:start|end)_of_turn|\|turn|turn\|)>$/i
/** Calls that models write as text are read by another validator. */
const calls = /tool|python_tag|function|plugin|action|interpreter/i
/** Behind these comes the name of a role. */
const openings = /^<\|(?:im_start|start_header_id|start|role)\|>$|^<start_of_turn>$/i

/** A token as it is seen, and where it is. */
interface FoundToken extends TemplateToken {
  readonly text: string
}

/** The tokens in a text that starts at an offset, except those of calls; characters that cannot be seen do not hide them. */
export function* tokensIn(text: string, offset: number): Generator<FoundToken, void, undefined> {
  const seen = unseen.test(text) ? seenOf(text) : undefined
  for (const { 0: found, index } of (seen?.text ?? text).matchAll(tokenPattern)) {
    if (calls.test(found)) continue
    const last = index + found.length - 1
    const onlyAtEnd = closings.test(found)
    const start = offset + (seen?.places[index] ?? index)
    const end = offset + (seen?.places[last] ?? last) + 1
    yield { text: found, start, end, endsTurn: onlyAtEnd || turns.test(found), onlyAtEnd }
  }
}

/** A token as it is seen. */
export function seenToken(token: string): string {
  return seenOf(token).text
}

/** What is seen of a text, and where each unit of it is. */
function seenOf(text: string): { readonly text: string; readonly places: readonly number[] } {
  const units: string[] = []
  const places: number[] = []
  let at = 0
  for (const character of text) {
    for (let unit = 0; unit < character.length && !unseen.test(character); unit++) {
      units.push(character.charAt(unit))
      places.push(at + unit)
    }
    at += character.length
  }
  return { text: units.join(''), places }
}

/** Where the end of a text may be the start of a token; the length of the text when it is not. */
export function openToken(text: string): number {
  const from = Math.max(0, text.length - longestHidden)
  const end = text.slice(from)
  if (!unseen.test(end)) return openSeen(text)
  const seen = seenOf(end)
  const open = openSeen(seen.text)
  return open === seen.text.length ? text.length : from + (seen.places[open] as number)
}

function openSeen(text: string): number {
  for (let at = Math.max(0, text.length - longestToken); at < text.length; at++) {
    const code = text.charCodeAt(at)
    if ((code === 60 || code === 91) && unfinished.test(text.slice(at))) return at
  }
  return text.length
}

/** The tokens that an answer starts with. */
export interface TemplateHead {
  readonly first: FoundToken
  /** Where the answer itself starts. */
  readonly end: number
}

/** Reads the tokens that a text starts with, and the role of the model behind them: null when it has none, undefined while that is open. */
export function readHead(text: string, isWhole: boolean): TemplateHead | null | undefined {
  let first: FoundToken | undefined
  for (let end = 0; ; ) {
    const rest = text.slice(end).trimStart()
    const at = text.length - rest.length
    if (!isWhole && openToken(rest) === 0) return undefined
    const { value: token } = tokensIn(text.slice(at, at + longestHidden), at).next()
    if (token?.start !== at || token.onlyAtEnd || token.text === '<think>')
      // Tokens alone are not a head.
      return first && rest !== '' ? { first, end: at } : isWhole || rest !== '' ? null : undefined
    first ??= token
    end = token.end
    if (!openings.test(token.text)) continue
    const role = /^[ \t]*([a-z]*)/i.exec(text.slice(end, end + longestToken)) as RegExpExecArray
    if (!isWhole && end + role[0].length === text.length) return undefined
    if (!/^(?:assistant|model)$/i.test(role[1] as string)) return null
    end += role[0].length
  }
}

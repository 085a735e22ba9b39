/** A token of a chat template in a text. */
export interface TemplateToken {
  readonly start: number
  readonly end: number
  /** Whether it starts or ends a turn, so that what follows is not the answer. */
  readonly endsTurn: boolean
  /** Whether it is found only at the end of an answer: elsewhere people write it too. */
  readonly onlyAtEnd: boolean
}

/** Tokens are not longer. */
export const longestToken = 48

/** A token at any place: ChatML, Llama, Phi, Qwen, Command R and gpt-oss; DeepSeek; Mistral; Gemma; T5 and bytes; at last what is HTML too, or written about. */
export const tokenPattern =
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

/** What a match of the pattern is; undefined when it belongs to a call. */
export function readToken(token: string, start: number): TemplateToken | undefined {
  if (calls.test(token)) return undefined
  const onlyAtEnd = closings.test(token)
  return { start, end: start + token.length, endsTurn: onlyAtEnd || turns.test(token), onlyAtEnd }
}

/** Where the end of a text may be the start of a token; the length of the text when it is not. */
export function openToken(text: string): number {
  for (let at = Math.max(0, text.length - longestToken); at < text.length; at++) {
    const code = text.charCodeAt(at)
    if ((code === 60 || code === 91) && unfinished.test(text.slice(at))) return at
  }
  return text.length
}

/** The tokens that an answer starts with. */
export interface TemplateHead {
  readonly first: TemplateToken
  /** Where the answer itself starts. */
  readonly end: number
}

/** Reads the tokens that a text starts with, and the role of the model behind them: null when it has none, undefined while that is open. */
export function readHead(text: string, isWhole: boolean): TemplateHead | null | undefined {
  let first: TemplateToken | undefined
  for (let end = 0; ; ) {
    const rest = text.slice(end).trimStart()
    const at = text.length - rest.length
    if (!isWhole && openToken(rest) === 0) return undefined
    const [match] = text.slice(at, at + longestToken).matchAll(tokenPattern)
    const found = match?.index === 0 ? match[0] : ''
    const token = readToken(found, at)
    if (found === '' || token === undefined || token.onlyAtEnd || found === '<think>')
      // Tokens alone are not a head.
      return first && rest !== '' ? { first, end: at } : isWhole || rest !== '' ? null : undefined
    first ??= token
    end = token.end
    if (!openings.test(found)) continue
    const role = /^[ \t]*([a-z]*)/i.exec(text.slice(end, end + longestToken)) as RegExpExecArray
    if (!isWhole && end + role[0].length === text.length) return undefined
    if (!/^(?:assistant|model)$/i.test(role[1] as string)) return null
    end += role[0].length
  }
}

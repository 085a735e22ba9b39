import { languageOf } from '../../../answer/markdown/code-language.ts'
import { beginsLikeCode } from '../looks-like-code.ts'
import { isReturn, lineKind } from './line-kind.ts'

/** Attributes of fences that look like assignments. */
const attribute = /^(?:title|file|filename|path|name|caption|label|id|class|lang|lines|linenums|hl_lines|highlight|start|startline)=\S/i

/** What follows the tag of a fence on its line, when that is code. */
export function afterTag(info: string): { readonly code: string; readonly from: number } {
  const start = info.length - info.trimStart().length
  const code = info.slice(start).trimEnd()
  const tag = /^[\w.+#{}-]+\s+(?=\S)/.exec(code)?.[0]
  const rest = tag === undefined ? '' : code.slice(tag.length)
  if (tag === undefined || languageOf(tag) === '' || !isCodeOnFence(rest) || attribute.test(rest)) return { code, from: start }
  return { code: rest, from: start + tag.length }
}

/** Whether what is written on the line of a fence is code. */
export function isCodeOnFence(text: string): boolean {
  return beginsLikeCode(text) || lineKind(text) === 'code' || isReturn(text.trim())
}

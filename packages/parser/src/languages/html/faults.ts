import type { SyntaxFault } from '@stickler/core/validators'
import type { ParserError, Token, Tokenizer, TokenizerMode } from 'parse5'
import { faultAt } from '../fault-at.ts'
import { OpenElements } from './open-elements.ts'

/** A model acts on the first faults. */
const mostFaults = 20

/** Errors of the tokenizer that change what a page shows; others, such as a missing doctype, are a matter of style. */
const wordings: Readonly<Record<string, string>> = {
  'eof-in-tag': 'Close this tag with `>`, and its attribute values with their quotes.',
  'eof-in-comment': 'Close this comment with `-->`.',
  'eof-in-cdata': 'Close this section with `]]>`.',
  'eof-before-tag-name': 'Complete this tag.',
  'missing-end-tag-name': 'Write the name of the element into the end tag.',
  'duplicate-attribute': 'Keep one attribute of this name.',
  'missing-attribute-value': 'Write the value of the attribute in quotes.',
  'unexpected-character-in-attribute-name':
    'Correct the attributes here: a quote or `<` is not part of a name. Close the tag or the value before it.',
  'unexpected-character-in-unquoted-attribute-value': 'Put the value of the attribute in quotes, both of the same kind.',
  'unexpected-equals-sign-before-attribute-name': 'Write the name of the attribute before `=`.',
}

/** What tells that a text is a template, whose elements may be opened in one branch and closed in another. */
const template = /\{[%#]|\{\{[#/^]|<%|<\?(?!xml\b)|^[ \t]*@(?:if|else|for|foreach|section|switch|while)\b/im

/** Elements whose content is text, by how it is read. */
const textModes: Readonly<Record<string, 'RCDATA' | 'RAWTEXT' | 'SCRIPT_DATA' | 'PLAINTEXT'>> = {
  title: 'RCDATA',
  textarea: 'RCDATA',
  style: 'RAWTEXT',
  xmp: 'RAWTEXT',
  iframe: 'RAWTEXT',
  noembed: 'RAWTEXT',
  noframes: 'RAWTEXT',
  script: 'SCRIPT_DATA',
  plaintext: 'PLAINTEXT',
}

/** Finds elements without their pair and tags that cannot be read, in the order of the source; none in templates. */
export function htmlFaults(source: string, Reader: typeof Tokenizer, modes: typeof TokenizerMode): readonly SyntaxFault[] {
  if (template.test(source)) return []
  const faults: { readonly start: number; readonly end: number; readonly message: string }[] = []
  const add = ({ start, end }: { readonly start: number; readonly end: number }, message: string): void => {
    if (faults.length < mostFaults * 2) faults.push({ start, end, message })
  }
  const elements = new OpenElements(add)
  /** What is open at the end is reported where it begins. */
  const startOf = (code: string): number | undefined => {
    if (code === 'eof-in-comment') return source.lastIndexOf('<!--')
    return code === 'eof-in-tag' ? source.indexOf('<', tagEnd) : undefined
  }
  const nothing = (): void => {}
  let tagEnd = 0
  const tokenizer = new Reader(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        tagEnd = spanOf(token).end
        const isForeign = elements.inForeign
        elements.open(token.tagName, spanOf(token), token.selfClosing)
        const mode = isForeign || token.selfClosing ? undefined : textModes[token.tagName]
        if (mode !== undefined) tokenizer.state = modes[mode]
        tokenizer.inForeignNode = elements.inForeign
      },
      onEndTag(token) {
        tagEnd = spanOf(token).end
        elements.close(token.tagName, spanOf(token))
        tokenizer.inForeignNode = elements.inForeign
      },
      onEof: () => elements.end(),
      onParseError({ code, startOffset, endOffset }: ParserError) {
        const message = wordings[code]
        if (message !== undefined) add({ start: startOf(code) ?? startOffset, end: endOffset }, message)
      },
      onComment: nothing,
      onDoctype: nothing,
      onCharacter: nothing,
      onNullCharacter: nothing,
      onWhitespaceCharacter: nothing,
    },
  )
  tokenizer.write(source, true)
  return faults
    .sort((one, other) => one.start - other.start)
    .slice(0, mostFaults)
    .map(({ start, end, message }) => faultAt(source, start, end, message))
}

function spanOf({ location }: Token.TagToken): { readonly start: number; readonly end: number } {
  return { start: location?.startOffset ?? 0, end: location?.endOffset ?? 0 }
}

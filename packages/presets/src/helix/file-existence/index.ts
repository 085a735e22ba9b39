import { Answer, type AnswerOutline, defineValidator, type IncrementalCheck, type Progress } from '@stickler/core'
import type { CodeBlock, FrontMatter } from '@stickler/core/internal'
import { HeldText } from '@stickler/core/internal/validators'
import * as z from 'zod'
import { clearOfHeaders } from '../records/header-watch.ts'
import { documentKind, fencedHeaders, type Header, hasTooManyHeaders, mostHeaders, yamlOf } from '../records/metadata-headers.ts'
import { ownHeadersOf } from '../records/records.ts'
import { tooManyHeaders } from '../records/too-complex-header.ts'
import { inspectFiles } from './inspect.ts'
import { fileMessages } from './messages.ts'
import { findNamedFiles, isRead } from './named-files.ts'
import { repairFiles } from './repair/index.ts'

/**
 * Holds a header until it is read, and from the first that names files to modify on everything: a repair may change it.
 * Nothing can fail here.
 */
class FileExistenceStream implements IncrementalCheck<never> {
  readonly #held = new HeldText()
  /** Whether the line that is being read can hold nothing that matters. */
  #flowing = false
  #linesRead = 0
  #mattersSeen = 0
  #fencesSeen = 0
  #documentsSeen = 0
  /** Whether a header has been found that names files to modify. */
  #names = false

  push(chunk: string, reader: AnswerOutline): Progress<never> {
    const held = this.#held
    held.length += chunk.length
    if (this.#names) return { safe: held.safe }
    // A line that could flow goes on flowing: most chunks end here.
    if (this.#flowing && reader.linesRead === this.#linesRead) return held.release(held.length)
    this.#linesRead = reader.linesRead
    held.keep(chunk)
    this.#judge(reader)
    if (this.#names) return { safe: held.safe }
    const clear = clearOfHeaders(reader, held.length, false)
    this.#flowing = clear === held.length && reader.lineHead !== ''
    return held.release(clear)
  }

  /** Judges the blocks that are complete, in text order. */
  #judge(reader: AnswerOutline): void {
    while (!this.#names) {
      const matter = reader.frontMatters[this.#mattersSeen]
      const fence = reader.codeBlocks[this.#fencesSeen]
      if (matter && !(fence && fence.span.start < matter.span.start)) {
        if (++this.#mattersSeen > mostHeaders) throw tooManyHeaders()
        this.#take([this.#readMatter(matter)], matter.span.start)
      } else if (fence) {
        this.#fencesSeen++
        if (documentKind(fence) === undefined) continue
        if (++this.#documentsSeen > mostHeaders) throw tooManyHeaders()
        this.#take(this.#readFence(fence), fence.span.start)
      } else return
    }
  }

  #take(headers: readonly Header[], start: number): void {
    // What could not be read must not be shown as if it had been.
    this.#names = findNamedFiles(headers).some((named) => !isRead(named) || named.entries.length > 0)
    if (!this.#names) return
    this.#held.release(start)
  }

  #readMatter(matter: FrontMatter): Header {
    const { span, contentSpan, atStart } = matter
    // A block is in the text that is held, from its first line on.
    const source = this.#held.slice(contentSpan)
    return { span, source, yaml: yamlOf(matter), atStart, fenced: false, at: span.start, document: new Answer('') }
  }

  #readFence(fence: CodeBlock): Header[] {
    const source = fence.verbatim ? this.#held.slice(fence.contentSpan) : fence.content
    return fencedHeaders(fence, source, undefined, new Answer(''), (text) => new Answer(text))
  }
}

/** Fails when `files.modify` in the answer's header names a file that does not exist below the root. */
export const fileExistence = defineValidator({
  name: 'file_existence',
  summary: 'The files that the answer lists in `files.modify` of its YAML header exist below the root.',
  get options() {
    return z.strictObject({
      maxEntries: z
        .int()
        .positive()
        .max(10_000)
        .default(1000)
        .describe('Maximum entries of `files.modify`, in all records together; the rest is not checked.'),
    })
  },
  repairs: true,
  codes: {
    FILE_NOT_FOUND: {
      severity: 'error',
      when: 'An entry of `files.modify` does not exist below the root, or is not a regular file.',
      fix: 'Correct the path, or list a new file in `files.create`; a repair corrects its separators, case or quotes, or moves a file there that is like no other.',
    },
    FILE_OUTSIDE_ROOT: {
      severity: 'error',
      when: 'An entry of `files.modify` is absolute, or leaves the root with `..` or through a link; its target is never read.',
      fix: 'Use a path relative to the root.',
      repaired: false,
    },
    FILE_ENTRY_NOT_TEXT: {
      severity: 'error',
      when: 'An entry of `files.modify` is not text: empty, a number, a mapping or a list.',
      fix: 'Write each entry as one path; put it in quotes where YAML would read it as something else.',
      repaired: false,
    },
    FILE_HEADER_UNREADABLE: {
      severity: 'error',
      when: 'The header seems to name files, but its YAML cannot be read.',
      fix: 'Correct the syntax: quotes, indentation, duplicate keys.',
      repaired: false,
    },
    FILE_ENTRY_LIMIT: {
      severity: 'error',
      when: '`files.modify` has more entries than `maxEntries`; the rest was not checked.',
      fix: 'Split the change, or raise `maxEntries`.',
      repaired: false,
    },
  },
  ports: ['files'],
  instruct: (_options, locale) => fileMessages[locale].instruct,
  prepare: ({ maxEntries }) => ({
    async *check(answer, context) {
      if (hasTooManyHeaders(answer)) throw tooManyHeaders()
      yield* inspectFiles(findNamedFiles(ownHeadersOf(answer)), maxEntries, context)
    },
    incremental: () => new FileExistenceStream(),
    repair: repairFiles,
  }),
})

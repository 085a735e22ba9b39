import { defineValidator, type IncrementalCheck, type Progress } from '@stickler/core'
import type { AnswerReader } from '@stickler/core/internal/validators'
import * as z from 'zod'
import { HeaderWatch } from '../records/header-watch.ts'
import { hasTooManyHeaders } from '../records/metadata-headers.ts'
import { ownHeadersOf } from '../records/records.ts'
import { tooManyHeaders } from '../records/too-complex-header.ts'
import { inspectFiles } from './inspect.ts'
import { fileMessages } from './messages.ts'
import { findNamedFiles, isRead } from './named-files.ts'
import { repairFiles } from './repair/index.ts'

/**
 * Holds a header until it is read, and from the first that names files to modify on everything: a repair may change it.
 * Nothing can fail here: what is there is asked of the file system once, at the end.
 */
class FileExistenceStream implements IncrementalCheck<never> {
  readonly #watch = new HeaderWatch(false)
  /** Whether a header has been found that names files to modify. */
  #names = false

  push(chunk: string, reader: AnswerReader): Progress<never> {
    if (!this.#names && this.#watch.push(chunk, reader)) this.#watch.release(reader, this.#findNaming(reader))
    return this.#watch.progress
  }

  /** Where the first header starts that names files to modify. */
  #findNaming(reader: AnswerReader): number | undefined {
    for (let block = this.#watch.next(reader); block; block = this.#watch.next(reader)) {
      // What could not be read must not be shown as if it had been.
      this.#names = findNamedFiles(block.headers).some((named) => !isRead(named) || named.entries.length > 0)
      if (this.#names) return block.span.start
    }
    return undefined
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

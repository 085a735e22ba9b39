import * as z from 'zod'
import { hasTooManyHeaders } from '../../answer/headers.ts'
import { defineValidator } from '../../contract/validator.ts'
import { ownHeadersOf } from '../shared/records.ts'
import { tooManyHeaders } from '../shared/too-complex-header.ts'
import { inspectFiles } from './inspect.ts'
import { fileMessages } from './messages.ts'
import { findNamedFiles } from './named-files.ts'
import { moveMissingFiles } from './repair/index.ts'
import { FileExistenceStream } from './stream.ts'

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
  codes: {
    FILE_NOT_FOUND: {
      severity: 'error',
      when: 'An entry of `files.modify` does not exist below the root, or is not a regular file.',
      fix: 'Correct the path, or list a new file in `files.create`; a repair moves missing files there.',
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
    repair: moveMissingFiles,
  }),
})

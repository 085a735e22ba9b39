import type { Language } from '@stickler/core/validators'
import { tooDeep } from '../too-deep.ts'
import { type SqlProblem, sqlFaults } from './faults.ts'

/** SQL as PostgreSQL 18 parses it; psql's commands and the placeholders of database drivers are allowed. */
export const sql: Language = {
  name: 'sql',
  parsedBy:
    "PostgreSQL 18's own parser; commands of `psql` and placeholders (`:name`, `?`, `%s`, `%(name)s`) are allowed, other dialects are not: mark them as `mysql`, `tsql`, `sqlite` …",
  async load() {
    const { hasSqlDetails, loadModule, parseSync } = await import('libpg-query')
    await loadModule()

    /** Where and why PostgreSQL rejects a text; undefined when it does not. */
    function firstProblem(text: string): SqlProblem | undefined {
      if (text === '') return undefined
      try {
        parseSync(text)
        return undefined
      } catch (error) {
        if (!hasSqlDetails(error)) throw error
        if (/^memory exhausted/.test(error.message)) throw tooDeep()
        return { message: error.message, codePoint: error.sqlDetails?.cursorPosition ?? 0 }
      }
    }

    // The first text compiles the parser, which is not the cost of a snippet.
    firstProblem('select 1')
    return (source) => sqlFaults(source, firstProblem)
  },
}

import { createApi } from './browser/create-api.ts'
import { createEventReader } from './browser/create-event-reader.ts'
import { createFormat } from './browser/create-format.ts'
import { createGrouping } from './browser/create-grouping.ts'
import { createLive } from './browser/create-live.ts'
import { createRunsTable } from './browser/create-runs-table.ts'
import { createView } from './browser/create-view.ts'
import type { PageParts } from './browser/page-parts.ts'
import { showContracts } from './browser/show-contracts.ts'
import { showParser } from './browser/show-parser.ts'
import { showRun } from './browser/show-run.ts'
import { showSession } from './browser/show-session.ts'
import { showStats } from './browser/show-stats.ts'
import { startPage } from './browser/start-page.ts'

const parts: PageParts = {
  createApi,
  createEventReader,
  createFormat,
  createGrouping,
  createLive,
  createRunsTable,
  createView,
  showContracts,
  showParser,
  showRun,
  showSession,
  showStats,
}

/** Writes the script of the page: the sources of its functions, each of which uses only what it is given. */
export function pageScript(): string {
  const sources = Object.entries(parts).map(([name, part]) => `${name}: ${part}`)
  return `'use strict'\n;(${startPage})(globalThis, {\n${sources.join(',\n')},\n})\n`
}

import type { createApi } from './create-api.ts'
import type { createEventReader } from './create-event-reader.ts'
import type { createFormat } from './create-format.ts'
import type { createGrouping } from './create-grouping.ts'
import type { createLive } from './create-live.ts'
import type { createRunsTable } from './create-runs-table.ts'
import type { createView } from './create-view.ts'
import type { showContracts } from './show-contracts.ts'
import type { showParser } from './show-parser.ts'
import type { showRun } from './show-run.ts'
import type { showSession } from './show-session.ts'
import type { showStats } from './show-stats.ts'

/** What the page is put together from; each part stands alone, so that its source can be sent to the browser. */
export interface PageParts {
  readonly createApi: typeof createApi
  readonly createEventReader: typeof createEventReader
  readonly createFormat: typeof createFormat
  readonly createGrouping: typeof createGrouping
  readonly createLive: typeof createLive
  readonly createRunsTable: typeof createRunsTable
  readonly createView: typeof createView
  readonly showContracts: typeof showContracts
  readonly showParser: typeof showParser
  readonly showRun: typeof showRun
  readonly showSession: typeof showSession
  readonly showStats: typeof showStats
}

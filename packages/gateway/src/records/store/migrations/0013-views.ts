import { createViews } from '../views/views.ts'
import type { Migration } from './migration.ts'

/** Views for reports and BI tools, whose columns stay as they are when tables change. */
export const views: Migration = {
  name: '0013-views',
  up: (db, _types, engine) => createViews(db, engine),
}

import type { AuditRow } from '@stickler/presets/internal'
import type { AuditLog } from '../ports.ts'

/** Keeps the last `maxRows` rows in memory. */
export function memoryAudit(maxRows = 1000): AuditLog & { readonly rows: readonly AuditRow[] } {
  const rows: AuditRow[] = []
  return {
    rows,
    async write(row) {
      rows.push(row)
      if (rows.length > maxRows) rows.splice(0, rows.length - maxRows)
    },
  }
}

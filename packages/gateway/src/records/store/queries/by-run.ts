/** Groups rows by their run. */
export function byRun<Row extends { readonly run_id: string }>(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.run_id)
    if (group === undefined) groups.set(row.run_id, [row])
    else group.push(row)
  }
  return groups
}

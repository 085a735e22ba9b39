import type { ComponentChildren } from 'preact'

/** One column of a table. */
export interface Column<Row> {
  readonly name: string
  readonly title: string
  readonly isNumber?: boolean
  /** Left out on narrow screens. */
  readonly isWide?: boolean
  cell(row: Row): ComponentChildren
}

/** What a table takes. */
interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  keyOf(row: Row): string
}

/** A table of few rows; long lists are in `VirtualList`. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section class="table-scroll" aria-label={label} tabIndex={0}>
      <table class="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.name} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function classOf<Row>({ isNumber, isWide }: Column<Row>): string {
  return `${isNumber ? 'number' : ''} ${isWide ? 'wide' : ''}`.trim()
}

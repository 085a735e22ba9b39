import { useServices } from '../../app/services.ts'
import { Menu } from '../../components/menu.tsx'
import { columnsParameter, type RunColumn, runColumns } from './columns.tsx'

/** Chooses the columns of the list; the choice is in the address. */
export function ColumnMenu({ columns }: { readonly columns: readonly RunColumn[] }) {
  const { router, me } = useServices()
  const shown = columns.map(({ name }) => name)
  const hasTexts = me.value?.keepText ?? false
  const toggle = (name: string): void => {
    const next = shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name]
    if (next.length > 0) router.change({ cols: columnsParameter(next) }, { replace: true })
  }
  return (
    <Menu label="Columns" icon="columns">
      {() => (
        <>
          {runColumns.map(({ name, title }) => {
            const isText = name === 'question' || name === 'answer'
            return (
              <label key={name} class="menu-entry">
                <input type="checkbox" checked={shown.includes(name)} disabled={isText && !hasTexts} onChange={() => toggle(name)} />
                {title}
                {isText && !hasTexts && <span class="quiet">texts are not kept</span>}
              </label>
            )
          })}
          <button type="button" class="menu-entry" onClick={() => router.change({ cols: '' }, { replace: true })}>
            Usual columns
          </button>
        </>
      )}
    </Menu>
  )
}

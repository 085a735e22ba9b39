import { useState } from 'preact/hooks'
import { type Filter, filters } from '../app/filters.ts'
import { useServices } from '../app/services.ts'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'

/** The filters of the address as chips, each with a button that removes it, and a menu to add more. */
export function FilterBar({ names }: { readonly names: readonly string[] }) {
  const { router, format } = useServices()
  const { query } = router.place.value
  const offered = filters.filter(({ name }) => names.includes(name))
  const active = offered.flatMap((filter) => [...new Set(query.getAll(filter.name))].filter(Boolean).map((value) => ({ filter, value })))
  const remove = ({ name }: Filter, value: string): void => router.change({ [name]: query.getAll(name).filter((one) => one !== value) })
  return (
    <div class="chips">
      <Menu label="Filter" icon="filter" shortcut="f" isLeft>
        {(close) => <Choose filters={offered} close={close} />}
      </Menu>
      {active.map(({ filter, value }) => (
        <span key={`${filter.name}=${value}`} class="chip">
          <span class="chip-name">{filter.title}</span>
          <span class="chip-value">
            <bdi>{format.visible(value)}</bdi>
          </span>
          <button
            type="button"
            class="chip-close"
            aria-label={`Remove the filter ${filter.title}: ${format.visible(value)}`}
            onClick={() => remove(filter, value)}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      {active.length > 1 && (
        <button
          type="button"
          class="button quiet-button"
          onClick={() => router.change(Object.fromEntries(offered.map(({ name }) => [name, ''])))}
        >
          Clear all
        </button>
      )}
    </div>
  )
}

/** First the filter, then its value: one of those known, or any other. */
function Choose({ filters: offered, close }: { readonly filters: readonly Filter[]; close(): void }) {
  const [chosen, setChosen] = useState<Filter>()
  if (chosen !== undefined) return <ChooseValue filter={chosen} close={close} />
  return (
    <ul>
      {offered.map((filter) => (
        <li key={filter.name}>
          <button type="button" class="menu-entry" onClick={() => setChosen(filter)}>
            {filter.title}
          </button>
        </li>
      ))}
    </ul>
  )
}

function ChooseValue({ filter: { name, title, values }, close }: { readonly filter: Filter; close(): void }) {
  const { router, me, format } = useServices()
  const [typed, setTyped] = useState('')
  const known = me.value === undefined ? [] : values(me.value)
  const current = router.place.value.query.getAll(name)
  const fitting = known.filter((value) => value.toLowerCase().includes(typed.trim().toLowerCase()))
  const toggle = (value: string): void =>
    router.change({ [name]: current.includes(value) ? current.filter((one) => one !== value) : [...current, value] })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const value = fitting.length === 1 ? fitting[0] : typed.trim()
        if (value !== undefined && value !== '' && !current.includes(value)) toggle(value)
        close()
      }}
    >
      <input
        class="field menu-field"
        type="text"
        aria-label={`${title}: value`}
        placeholder={known.length === 0 ? `${title}, then Enter` : `Find ${title.toLowerCase()}`}
        value={typed}
        autocomplete="off"
        spellcheck={false}
        ref={(element) => element?.focus()}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <ul>
        {fitting.slice(0, 50).map((value) => (
          <li key={value}>
            <button type="button" class="menu-entry" aria-pressed={current.includes(value)} onClick={() => toggle(value)}>
              <span class="cut">
                <bdi>{format.visible(value)}</bdi>
              </span>
              {current.includes(value) && <Icon name="check" />}
            </button>
          </li>
        ))}
      </ul>
    </form>
  )
}

import { useEffect, useState } from 'preact/hooks'
import { useServices } from '../app/services.ts'
import type { ThemeChoice } from '../app/theme.ts'
import { Icon, type IconName, Mark } from '../components/icon.tsx'
import { Link } from '../components/link.tsx'
import { findRoom, type Room, rooms } from './pages.ts'

const themes: readonly { readonly choice: ThemeChoice; readonly icon: IconName; readonly label: string }[] = [
  { choice: 'light', icon: 'sun', label: 'Light' },
  { choice: 'dark', icon: 'moon', label: 'Dark' },
  { choice: 'system', icon: 'system', label: 'As the system' },
]

/** The rail on the left; on narrow screens a bar with a menu. */
export function Rail({ forget }: { readonly forget: (() => void) | undefined }) {
  const { me, router } = useServices()
  const [isOpen, setOpen] = useState(false)
  const { path } = router.place.value
  const current = findRoom(path)?.room

  useEffect(() => setOpen(false), [path])

  return (
    <div class={isOpen ? 'rail open' : 'rail'}>
      <div class="rail-head">
        <Link to="/" class="brand">
          <Mark />
          Stickler
        </Link>
        <button
          type="button"
          class="button icon-button rail-toggle"
          aria-expanded={isOpen}
          aria-controls="rail-menu"
          aria-label="Menu"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </button>
      </div>
      <div class="rail-menu" id="rail-menu">
        <nav aria-label="Pages">
          <Entries rooms={rooms.filter((room) => !room.isForOperators)} current={current} />
          {me.value?.role !== 'client' && (
            <>
              <h2 class="rail-title">Gateway</h2>
              <Entries rooms={rooms.filter((room) => room.isForOperators)} current={current} />
            </>
          )}
        </nav>
        <div class="rail-foot">
          <ThemeSwitch />
          <Who forget={forget} />
        </div>
      </div>
    </div>
  )
}

function Entries({ rooms: shown, current }: { readonly rooms: readonly Room[]; readonly current: Room | undefined }) {
  return (
    <ul class="rail-list">
      {shown.map((room) => (
        <li key={room.path}>
          <Link to={`/${room.path}`} class="rail-entry" aria-current={room === current ? 'page' : undefined}>
            <Icon name={room.icon} />
            {room.title}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function ThemeSwitch() {
  const { theme } = useServices()
  return (
    <fieldset class="segments" aria-label="Colours">
      {themes.map(({ choice, icon, label }) => (
        <button
          key={choice}
          type="button"
          class="segment"
          aria-pressed={theme.choice.value === choice}
          aria-label={label}
          title={label}
          onClick={() => theme.choose(choice)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </fieldset>
  )
}

function Who({ forget }: { readonly forget: (() => void) | undefined }) {
  const { me, format } = useServices()
  if (me.value === undefined) return null
  const { key, role, version } = me.value
  return (
    <div class="who">
      <div class="who-name">
        <bdi>{role === 'local' ? 'no keys' : format.visible(key)}</bdi>
        <span class="quiet">{role === 'local' ? 'everybody sees everything' : role}</span>
      </div>
      {forget !== undefined && (
        <button type="button" class="button quiet-button" onClick={forget}>
          Sign out
        </button>
      )}
      <span class="quiet who-version">{format.visible(version)}</span>
    </div>
  )
}

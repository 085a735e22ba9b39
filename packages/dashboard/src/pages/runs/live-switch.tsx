import { useServices } from '../../app/services.ts'
import { Icon } from '../../components/icon.tsx'

/** Turns the live updates on and off, and says how they are. */
export function LiveSwitch({ isLive }: { readonly isLive: boolean }) {
  const { router, runList } = useServices()
  const state = runList.live.value
  const word = !isLive ? 'Paused' : state === 'lost' ? 'Reconnecting' : 'Live'
  return (
    <button
      type="button"
      class={`button live ${isLive && state === 'live' ? 'on' : ''}`}
      aria-pressed={isLive}
      title={isLive ? 'Pause the live updates' : 'Show new runs as they come'}
      onClick={() => router.change({ live: isLive ? 'off' : '' }, { replace: true })}
    >
      {isLive ? <i class="live-dot" /> : <Icon name="play" />}
      {word}
    </button>
  )
}

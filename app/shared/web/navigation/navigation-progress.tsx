import { useNavigation } from 'react-router'

/** A progress bar at the top of the window during navigation. */
export function NavigationProgress() {
  const busy = useNavigation().state !== 'idle'
  return (
    <div className="pointer-events-none fixed inset-x-0 top-0 z-50 h-1">
      {busy && <div className="h-full origin-left animate-progress bg-primary" />}
    </div>
  )
}

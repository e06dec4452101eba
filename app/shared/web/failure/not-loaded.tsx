import { TryAgain } from './try-again.tsx'

/** Says that content could not be loaded: in its place, or above what was loaded before. */
export const NotLoaded = () => (
  <div className="surface space-y-4 px-6 py-16 text-center">
    <p role="alert" className="text-lg">
      This could not be loaded.
    </p>
    <TryAgain />
  </div>
)

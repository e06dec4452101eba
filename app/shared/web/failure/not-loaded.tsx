import { TryAgain } from './try-again.tsx'

/** The placeholder of content that could not be loaded. */
export const NotLoaded = () => (
  <div className="surface space-y-4 px-6 py-16 text-center">
    <p className="text-lg">This could not be loaded.</p>
    <TryAgain />
  </div>
)

import { useEffect, useEffectEvent, useState } from 'react'
import { type To, useNavigate } from 'react-router'
import { PageHead } from '#app/shared/web/page-head.tsx'

/** The first number of the countdown, in seconds (spec §9). */
const SECONDS = 5

/** The guard's refusal: counts down, then redirects (spec §2). */
export function Countdown({ to, state }: { to: To; state?: unknown }) {
  const navigate = useNavigate()
  const [left, setLeft] = useState(SECONDS)
  const leave = useEffectEvent(() => navigate(to, { state, replace: true }))
  useEffect(() => {
    if (left === 0) void leave()
    const second = setTimeout(() => setLeft(Math.max(left - 1, 0)), 1000)
    return () => clearTimeout(second)
  }, [left])
  return (
    <section className="mx-auto flex min-h-dvh max-w-xl flex-col items-center gap-6 px-4 py-24 text-center">
      <PageHead title="Redirecting" hidden />
      <span aria-hidden="true" className="loading loading-spinner loading-lg text-primary" />
      <h1 className="text-2xl sm:text-3xl">
        <span role="timer">Redirecting to you {left} second</span>
      </h1>
    </section>
  )
}

import { useEffect, useEffectEvent, useState } from 'react'
import { Link, type To, useNavigate } from 'react-router'
import { PageHead } from '#app/shared/web/head.tsx'
import { keepsMessages } from '#app/shared/web/theme.tsx'

/** The first number of the countdown, in seconds (spec §9). */
const SECONDS = 5

/** The guard's refusal: counts down, then redirects, unless the visitor stops it, or has turned time limits off (spec §2). */
export function Countdown({ to, state }: { to: To; state?: unknown }) {
  const navigate = useNavigate()
  const [left, setLeft] = useState(SECONDS)
  const [isStopped, setStopped] = useState(keepsMessages)
  const leave = useEffectEvent(() => navigate(to, { state, replace: true }))
  useEffect(() => {
    if (isStopped) return
    if (left === 0) void leave()
    const second = setTimeout(() => setLeft(Math.max(left - 1, 0)), 1000)
    return () => clearTimeout(second)
  }, [left, isStopped])
  return (
    <section className="mx-auto flex min-h-dvh max-w-xl flex-col items-center gap-6 px-4 py-24 text-center">
      <PageHead title="Redirecting" hidden />
      {!isStopped && (
        <span aria-hidden="true" className="loading loading-spinner loading-lg text-primary" />
      )}
      <h1 className="text-2xl sm:text-3xl">
        {isStopped ? (
          'This page is not open to you'
        ) : (
          <span role="timer">Redirecting to you {left} second</span>
        )}
      </h1>
      <div className="flex flex-wrap justify-center gap-3">
        <Link to={to} state={state} replace className="btn btn-primary">
          Continue now
        </Link>
        {!isStopped && (
          <button type="button" onClick={() => setStopped(true)} className="btn">
            Stay here
          </button>
        )}
      </div>
    </section>
  )
}

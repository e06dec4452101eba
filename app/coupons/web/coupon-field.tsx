import { type SubmitEvent, useEffect, useId, useState } from 'react'
import { MAX_COUPON_CODES, type Notice } from '#app/checkout/contract.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'

type Props = {
  /** The codes that are applied. */
  codes: string[]
  /** The codes of the quote that is shown. */
  quotedCodes: string[]
  /** The notices of that quote. */
  notices: Notice[]
  onChange: (codes: string[]) => void
}

const isSame = (one: string, other: string | undefined) =>
  one.toUpperCase() === other?.toUpperCase()

/** The problem of a code that can be seen without the server; null for none. */
function problemOf(code: string, codes: string[]): string | null {
  if (code === '') return 'Please enter a code.'
  if (codes.some((applied) => isSame(applied, code))) return 'This code is applied already.'
  if (codes.length >= MAX_COUPON_CODES) return `At most ${MAX_COUPON_CODES} codes can be applied.`
  return null
}

/** The coupon codes of a cart. A code that is refused stays in the field, with the reason. */
export function CouponField({ codes, quotedCodes, notices, onChange }: Props) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)
  /** The code that waits for its quote. */
  const [pending, setPending] = useState<string | null>(null)
  const messageFor = (code: string) => notices.find(({ source }) => isSame(code, source))?.message

  useEffect(() => {
    if (pending === null || !quotedCodes.includes(pending)) return
    const refusal = notices.find(({ source }) => isSame(pending, source))?.message
    setPending(null)
    setError(refusal ?? null)
    if (refusal === undefined) setTyped('')
    else onChange(codes.filter((code) => code !== pending))
  }, [pending, quotedCodes, notices, codes, onChange])

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = typed.trim()
    const wrong = problemOf(code, codes)
    setError(wrong)
    if (wrong !== null || pending !== null) return
    setPending(code)
    onChange([...codes, code])
  }
  const applied = codes.filter((code) => code !== pending)
  return (
    <div className="space-y-3">
      {applied.length > 0 && (
        <ul aria-label="Coupon codes" className="space-y-2">
          {applied.map((code) => (
            <AppliedCode
              key={code}
              code={code}
              message={messageFor(code)}
              onRemove={() => onChange(codes.filter((one) => one !== code))}
            />
          ))}
        </ul>
      )}
      <form onSubmit={submit} method="post" noValidate className="space-y-1.5">
        <label htmlFor={id} className="block font-medium text-sm">
          Coupon code
        </label>
        <div className="flex gap-2">
          <input
            id={id}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            maxLength={100}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            aria-invalid={error !== null}
            aria-describedby={`${id}-error`}
            className="input min-w-0 flex-1 bg-base-200"
          />
          <BusyButton type="submit" busy={pending !== null} className="">
            Apply
          </BusyButton>
        </div>
        {/* rendered before its text, so that screen readers announce it */}
        <p id={`${id}-error`} role="status" className="font-semibold text-error text-sm">
          {error}
        </p>
      </form>
    </div>
  )
}

type AppliedProps = { code: string; message: string | undefined; onRemove: () => void }

function AppliedCode({ code, message, onRemove }: AppliedProps) {
  return (
    <li className="flex items-center justify-between gap-2">
      <div className="min-w-0">
        <p className="wrap-anywhere font-semibold">{code}</p>
        {message !== undefined && (
          <p role="alert" className="text-error text-sm">
            {message}
          </p>
        )}
      </div>
      <button
        type="button"
        aria-label={`Remove ${code}`}
        className="btn btn-ghost btn-sm"
        onClick={onRemove}
      >
        Remove
      </button>
    </li>
  )
}

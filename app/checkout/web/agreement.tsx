import { Fragment, useState } from 'react'
import { useBuyer } from '#app/accounts/web/buyer.ts'
import { legalTitleOf } from '#app/settings/legal-model.ts'
import { href } from '#app/shared/model/href.ts'
import type { Agreement, Quote } from '../contract.ts'

const NONE: never[] = []

/** The legal texts to which a buyer agrees before paying, and whether that is done for these versions. */
export function useAgreement(quote: Quote | null) {
  const buyer = useBuyer()
  const texts: Agreement[] = quote?.agreements ?? NONE
  const versions = JSON.stringify(texts)
  const [agreed, setAgreed] = useState('')
  const isAgreed = agreed === versions
  const isAsked = texts.length > 0 && buyer !== null
  return {
    agreements: isAsked && isAgreed ? quote?.agreements : undefined,
    /** The step that is missing, as a sentence; null when none is. */
    missing: isAsked && !isAgreed ? 'Please agree to the texts above first.' : null,
    field: isAsked && (
      <label className="flex gap-3 text-sm">
        <input
          type="checkbox"
          required
          className="checkbox checkbox-sm shrink-0"
          checked={isAgreed}
          onChange={({ target }) => setAgreed(target.checked ? versions : '')}
        />
        <span>
          I have read and agree to:{' '}
          {texts.map(({ page }, at) => (
            <Fragment key={page}>
              {at > 0 && ', '}
              <a
                href={href('/legal/:page', { page })}
                target="_blank"
                rel="noreferrer"
                className="link"
              >
                {legalTitleOf(page)}
              </a>
            </Fragment>
          ))}
        </span>
      </label>
    ),
  }
}

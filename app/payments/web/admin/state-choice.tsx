import { useNavigate, useNavigation } from 'react-router'
import { PAYMENT_FILTERS, type PaymentFilter } from '#app/payments/admin-contract.ts'
import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { STATE_NAMES } from './state-names.ts'

/** Filters the list by state, in the query string. */
export function StateChoice({ state }: { state: PaymentFilter | undefined }) {
  const navigate = useNavigate()
  const going = useNavigation().location
  const shown = going ? new URLSearchParams(going.search).get('state') : state
  return (
    <div className="max-sm:w-full">
      <Labelled label="State">
        {(id) => (
          <select
            id={id}
            value={shown ?? ''}
            onChange={({ target: { value } }) => void navigate(value ? `?state=${value}` : '?')}
            className="select w-full sm:w-56"
          >
            <option value="">All</option>
            {PAYMENT_FILTERS.map((one) => (
              <option key={one} value={one}>
                {STATE_NAMES[one]}
              </option>
            ))}
          </select>
        )}
      </Labelled>
    </div>
  )
}

import { useNavigate, useNavigation } from 'react-router'
import { Labelled } from '../form/labelled.tsx'

type Props<State extends string> = {
  /** The names of the states, in this order. */
  names: Record<State, string>
  /** The name of the list without a chosen state. */
  none: string
  state: State | undefined
}

/** Filters a list by state, in the query string. A choice is shown while its list is loaded. */
export function StateChoice<State extends string>({ names, none, state }: Props<State>) {
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
            <option value="">{none}</option>
            {Object.entries<string>(names).map(([one, name]) => (
              <option key={one} value={one}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Labelled>
    </div>
  )
}

import { all, any, atMost, is, lessThan } from '../conditions'
import { rulesFor } from '../define'

const model = rulesFor('irc', 'model_code_only')

const REQUIRED = { determination: 'likely_required', section: 'R105.1', source: 'ircRequired' } as const
const EXEMPT = { determination: 'likely_not_required' } as const

/** Model code rules for wiring, piping, heating and what is connected to them. */
export const SYSTEMS = [
  ...model('water_heater', [
    {
      ...EXEMPT,
      id: 'part',
      when: is('minorPartOnly'),
      because: 'A minor part that leaves the appliance as approved and safe may be replaced without a permit.',
      section: 'R105.2, gas and mechanical, minor parts',
      source: 'ircTrades',
    },
    {
      ...REQUIRED,
      id: 'replace',
      because:
        'Installing or replacing part of a plumbing or gas system takes a permit; water heaters are not among the exceptions.',
    },
  ]),
  ...model('hvac', [
    {
      ...EXEMPT,
      id: 'minor',
      when: any(is('minorPartOnly'), is('portable')),
      because:
        'Portable heaters, coolers and fans, and minor parts that leave the equipment as approved, are among the exceptions.',
      section: 'R105.2, mechanical, portable equipment and minor parts',
      source: 'ircTrades',
    },
    { ...REQUIRED, id: 'replace', because: 'Installing, altering or replacing a mechanical system takes a permit.' },
  ]),
  ...model('electrical_service', [
    {
      ...EXEMPT,
      id: 'breaker',
      when: is('overcurrentDeviceOnly'),
      because: 'Breakers and fuses of branch circuits may be replaced in their place by ones of the required rating.',
      section: 'R105.2, electrical, overcurrent devices',
      source: 'ircElectrical',
    },
    { ...REQUIRED, id: 'other', because: 'Installing, altering or replacing an electrical system takes a permit.' },
  ]),
  ...model('circuits', [
    {
      ...EXEMPT,
      id: 'low-voltage',
      when: all(lessThan('volts', 25), atMost('watts', 50)),
      because: 'Wiring and devices at less than 25 V that cannot supply more than 50 W are among the exceptions.',
      section: 'R105.2, electrical, low voltage',
      source: 'ircElectrical2009',
    },
    {
      ...EXEMPT,
      id: 'device',
      when: all(is('likeForLike'), is('minorPartOnly')),
      because:
        'Putting a receptacle, switch or lamp back in its place is minor repair work among the exceptions; a new outlet or circuit, or new wiring, is not.',
      section: 'R105.2, electrical, items 2 and 5',
      source: 'ircElectrical2009',
    },
    { ...REQUIRED, id: 'other', because: 'New or altered circuits alter the electrical system, which takes a permit.' },
  ]),
  ...model('generator', [
    {
      ...EXEMPT,
      id: 'portable',
      when: is('portable'),
      because:
        'Portable equipment plugged into what is approved and there is among the exceptions; a transfer switch is not.',
      section: 'R105.2, electrical, portable equipment',
      source: 'ircTrades',
    },
    {
      ...REQUIRED,
      id: 'standby',
      because:
        'A standby generator is connected to the electrical and often the gas system, both of which take a permit.',
    },
  ]),
  ...model('ev_charger', [
    {
      ...EXEMPT,
      id: 'portable',
      when: is('portable'),
      because:
        'A charger plugged into an outlet that is approved and there is portable equipment; a new outlet or circuit is not.',
      section: 'R105.2, electrical, portable equipment',
      source: 'ircTrades',
    },
    {
      ...REQUIRED,
      id: 'wired',
      because: 'A charger wired in, or its new circuit, alters the electrical system, which takes a permit.',
    },
  ]),
  ...model('gas_line', [
    {
      ...EXEMPT,
      id: 'part',
      when: is('minorPartOnly'),
      because:
        'A minor part that leaves the appliance as approved and safe may be replaced without a permit; piping is no such part.',
      section: 'R105.2, gas, minor parts',
      source: 'ircTrades',
    },
    {
      ...REQUIRED,
      id: 'piping',
      because:
        'Gas piping takes a fuel gas permit, in many places a mechanical permit by that name; ordinary repairs do not include gas piping.',
      section: 'R105.1, R105.2.2',
      source: 'ircRepairsText',
    },
  ]),
  ...model('sewer', [
    {
      ...EXEMPT,
      id: 'stoppage',
      when: is('stoppageOnly'),
      because:
        'Clearing a stoppage or stopping a leak is among the exceptions while no pipe is cut, replaced or moved.',
      section: 'R105.2, plumbing',
      source: 'ircPlumbing',
    },
    {
      ...REQUIRED,
      id: 'pipe',
      because:
        'Replacing or repairing the pipe of a sewer or drain takes a permit; ordinary repairs do not include sewer piping.',
      section: 'R105.1, R105.2.2',
      source: 'ircRepairsText',
    },
  ]),
  ...model('repipe', [
    {
      ...REQUIRED,
      id: 'any',
      because: 'Replacing water piping takes a permit; ordinary repairs do not include water supply piping.',
      section: 'R105.1, R105.2.2',
      source: 'ircRepairsText',
    },
  ]),
  ...model('mini_split', [
    {
      ...REQUIRED,
      id: 'any',
      because: 'A mini split is a mechanical system on a circuit of its own; both take permits.',
    },
  ]),
  ...model('fireplace', [
    {
      id: 'part',
      when: is('minorPartOnly'),
      determination: 'ask_jurisdiction',
      because:
        'A minor part of an appliance is exempt, masonry and flue work often is not; no source settles which a chimney repair is.',
      section: 'R105.2, gas and mechanical, minor parts',
      source: 'ircTrades',
    },
    {
      ...REQUIRED,
      id: 'appliance',
      because:
        'A fireplace, stove, insert or its chimney is a regulated heating system; installing one takes a permit.',
    },
  ]),
  ...model('plumbing_fixture', [
    {
      ...REQUIRED,
      id: 'moved',
      when: is('pipesRearranged'),
      because: 'Adding or moving pipes, valves or fixtures is new plumbing, which takes a permit.',
    },
    {
      ...EXEMPT,
      id: 'repair',
      when: is('repairOnly'),
      because:
        'Clearing stoppages, stopping leaks and setting a toilet again are among the exceptions while no pipe is moved.',
      section: 'R105.2, plumbing',
      source: 'ircPlumbing',
    },
    {
      id: 'replace',
      determination: 'ask_jurisdiction',
      because: 'A new fixture in the old place is neither named as an exception nor plainly new work; cities differ.',
      section: 'R105.2, plumbing',
      source: 'ircPlumbing',
    },
  ]),
  ...model('solar', [
    {
      ...REQUIRED,
      id: 'any',
      because: 'Panels load the roof and feed the electrical system; neither is among the exceptions.',
    },
  ]),
]

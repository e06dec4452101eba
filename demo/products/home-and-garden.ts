import type { DemoCategory } from '../demo-category.ts'

export const homeAndGarden: DemoCategory = {
  name: 'Home & Garden',
  palette: { light: '#e4eed6', deep: '#a3c293', disc: '#f8fbef', shade: '#2c4a26' },
  products: [
    {
      name: 'Aegean Terracotta Amphora',
      emoji: '1f3fa',
      price: 124,
      quantity: 6,
      shipping: true,
      description:
        'Thrown on a kick wheel and banded with a Greek key, this amphora stands 46 cm tall. The terracotta is waxed inside, so it takes dried grasses or, with a glass liner, fresh branches. Every one bears the thumbprint of its potter under the left handle.',
    },
    {
      name: 'Little Ficus in a Clay Pot',
      emoji: '1fab4',
      price: 24,
      quantity: 28,
      shipping: false,
      description:
        'A young ficus with glossy leaves, about 30 cm tall in its clay pot of 12 cm. It likes a bright window out of the noon sun and a drink when the soil feels dry. We hand it over at the stall, since plants dislike parcels.',
    },
    {
      name: 'Night Market Paper Lantern',
      emoji: '1f3ee',
      price: 29.9,
      quantity: 44,
      shipping: true,
      description:
        'A striped lantern of oiled mulberry paper over bamboo rings, capped in indigo. It is 38 cm tall and folds flat to the height of a book. Hang it over an LED bulb of up to 8 W, indoors or under a dry porch.',
    },
    {
      name: 'Bramley Mantel Clock',
      emoji: '1f570-fe0f',
      price: 145,
      quantity: 3,
      shipping: true,
      description:
        'A walnut mantel clock on a brass foot, 24 cm wide, with a dial that is easy to read across the room. The quartz movement is silent until the hour, when it strikes once and softly. It runs for two years on one AA battery.',
    },
    {
      name: 'Gilt Petal Mirror',
      emoji: '1fa9e',
      price: 98,
      quantity: 7,
      shipping: true,
      description:
        'Eight gilded petals frame an oval mirror of 40 by 55 cm. The frame is carved lime wood under composition gold leaf, and the glass has a clear, copper-free silvering. Hang it upright or lying with the two brass loops on its back.',
    },
    {
      name: 'Oslo Dining Chair',
      emoji: '1fa91',
      price: 135,
      quantity: 18,
      shipping: true,
      description:
        'A dining chair of smoked oak with splayed legs and a back that gives a little. The seat is 45 cm high and dished, so that it needs no cushion. It arrives assembled; oil it once a year, like all oak furniture.',
    },
    {
      name: 'Fjord Sofa and Reading Lamp',
      emoji: '1f6cb-fe0f',
      price: 899,
      quantity: 2,
      shipping: true,
      description:
        'Two seats in blue wool bouclé and the lamp to read by, furniture for one corner. The sofa is 158 cm wide on oak legs, and its covers unzip for cleaning. The brass lamp arches 170 cm high and takes an E27 bulb. Delivered by two people, up the stairs.',
    },
    {
      name: 'Willow Market Basket',
      emoji: '1f9fa',
      price: 38,
      quantity: 21,
      shipping: true,
      description:
        'A market basket woven from peeled willow, with a handle that is wrapped where the hand goes. It measures 36 by 26 cm and carries 8 kg of apples without a creak. Damp it now and then, and the willow stays supple for decades.',
    },
    {
      name: 'Twin-Bell Alarm Clock',
      emoji: '23f0',
      price: 32,
      quantity: 26,
      shipping: true,
      description:
        'Two brass bells and a hammer between them: nobody has overslept it yet. The red steel case is 12 cm across, the second hand sweeps without ticking, and a button lights the dial. It takes one AA battery.',
    },
    {
      name: 'Ivory Beeswax Candle',
      emoji: '1f56f-fe0f',
      price: 12.5,
      quantity: 60,
      shipping: true,
      description:
        'A pillar of pure beeswax, bleached by the sun to ivory and dipped by hand. It is 15 cm tall, burns for forty hours and smells faintly of honey. Trim the cotton wick to half a centimetre each time you light it.',
    },
    {
      name: 'Amber Desk Lamp Bulb',
      emoji: '1f4a1',
      price: 9.8,
      quantity: 75,
      shipping: true,
      description:
        'A warm bulb for the desk lamp that has to be on all evening. Its amber glass and long LED filament give 470 lumens at 2,200 K from 5 W, and it can be dimmed. Fits every E27 socket.',
    },
    {
      name: 'Market Day Bouquet',
      emoji: '1f490',
      price: 26,
      quantity: 0,
      shipping: false,
      description:
        'Fresh flowers, tied this morning from whatever stands best: pink tulips, a golden daisy, and plenty of green. Cut the stems slantwise, change the water every second day, and it lasts a week. Wrapped in paper and handed over at the stall.',
    },
  ],
}

/**
 * Queries of customers of the demo shop, with the expected product: a part of its name,
 * alternatives separated by a stroke, empty when nothing should be found.
 */
const WRITTEN = {
  words: `
    teapot = Enamel Teapot
    headphones = Wireless Headphones
    bicycle = City Bicycle
    guitar = Electric Guitar
    teddy bear = Barnaby
    umbrella = Monsoon Umbrella
    fountain pen = Fountain Pen
    honey = Wildflower Honey
    film camera = Film Camera
    tent = Two Tent
    steam engine = Steam Engine
    backpack = Campus Backpack
    coffee mug = Coffee Mug
    radio = Windowsill Radio
    compass = Brass Compass
    world map = World Map
    fondue = Fondue Set
    game controller = Game Controller
    kite = Diamond Kite
    clock = Mantel Clock | Alarm Clock
    alarm clock = Alarm Clock
    straw hat = Straw Hat
    chef's knife = Chef's Knife
    hiking boots = Hiking Boots
    mirror = Petal Mirror
    wool scarf = Wool Scarf
    laptop = Slate 14 Laptop
    skillet = Cast-Iron Skillet
    cast iron skillet = Cast-Iron Skillet
    wireless mouse = Wireless Mouse
    desk lamp = Desk Lamp Bulb
    yo-yo = Yo-Yo
    chocolate = Chocolate Bar
    dinosaur = Rexford
    sari = Silk Road Sari
    snare drum = Snare Drum
    slate 14 = Slate 14 Laptop
    35 mm camera = Film Camera
    tango the piñata = Tango
    violin = Old Cremona Violin`,
  'what shoppers call it': `
    bike = City Bicycle
    bikes = City Bicycle
    luggage = Cabin Suitcase
    tv = Portable Television
    computer = Slate 14 Laptop
    flowers = Bouquet
    furniture = Sofa | Dining Chair
    camping = Two Tent
    torch = Flashlight
    gift = Reading Trio | Chocolate Bar | Barnaby | Fountain Pen | Sake Set
    gifts = Reading Trio | Chocolate Bar | Barnaby | Fountain Pen | Sake Set
    toys = Barnaby | Robot | Yo-Yo | Dartboard | Abacus | Dinosaur | Rocket | Horse | Doll | Engine | Tango | Rexford
    kitchen = Teapot | Honey | Mug | Fondue | Knife | Skillet | Bowl | Sake | Mate | Cheese | Chocolate
    kitchen knife = Chef's Knife`,
  'more than the name says': `
    merino = Lilac Knit Gloves | Knitting Yarn
    bluetooth radio = Windowsill Radio
    rangefinder = Film Camera
    porridge bowl = Breakfast Bowl
    cocoa from peru = Chocolate Bar
    magnifying glass = Reading Glass
    polarised lenses = Sunglasses
    goatskin drum = Djembe
    smoked oak chair = Dining Chair
    donkey = Tango
    cabin airline = Cabin Suitcase
    calabash = Mate Gourd
    raw honey = Wildflower Honey
    red bicycle = City Bicycle
    something for fondue cheese = Fondue Set
    brush size 8 = Paintbrush
    needle and thread = Blue Thread
    tulips = Bouquet
    noodles = Breakfast Bowl
    dart board in rings = Dartboard`,
  plurals: `
    teapots = Enamel Teapot
    headphone = Wireless Headphones
    bicycles = City Bicycle
    guitars = Electric Guitar
    umbrellas = Monsoon Umbrella
    tents = Two Tent
    mugs = Coffee Mug
    maraca = Fiesta Maracas
    knives = Chef's Knife
    shoe = Running Shoes
    scissor = Coral Scissors
    brushes = Paintbrush
    glasses = Reading Glass | Sunglasses
    candles = Beeswax Candle
    boot = Hiking Boots
    sock = Meadow Socks
    bowls = Breakfast Bowl
    baskets = Market Basket
    violins = Violin
    run shoe = Running Shoes`,
  'any order': `
    mug coffee = Coffee Mug
    hat straw = Straw Hat
    guitar electric = Electric Guitar
    boots for hiking = Hiking Boots
    clock alarm = Alarm Clock
    pen fountain = Fountain Pen
    bear teddy = Barnaby
    engine steam = Steam Engine
    chair dining = Dining Chair
    racket tennis = Tennis Racket
    map of the world = World Map
    lantern paper = Paper Lantern
    mouse wireless = Wireless Mouse
    skates roller = Roller Skates
    rocket moon = Moon Rocket
    coat camel = Camel Coat`,
  beginnings: `
    headp = Wireless Headphones
    bicy = City Bicycle
    guit = Electric Guitar
    umbr = Monsoon Umbrella
    coffee m = Coffee Mug
    film cam = Film Camera
    alarm cl = Alarm Clock
    lap = Slate 14 Laptop
    choc = Chocolate Bar
    skateb = Skateboard
    micro = Microphone | Microscope
    microsc = Microscope
    wireless key = Wireless Keyboard
    sunfl sungl = Sunglasses
    saxo = Saxophone
    telesc =
    dino = Rexford
    note = Notebook | Blue Note`,
  'unfinished words': `
    tea p = Enamel Teapot
    tea po = Enamel Teapot
    head ph = Wireless Headphones
    coffee m = Coffee Mug
    wool sc = Wool Scarf
  `,
  articles: `
    the teapot = Enamel Teapot
    a kite = Diamond Kite
    an umbrella = Monsoon Umbrella
    the guitar = Electric Guitar
    the world map = World Map
  `,
  accents: `
    cafe mug = Coffee Mug
    café = Coffee Mug
    gruyere = Fondue Set
    GRUYÈRE FONDUE = Fondue Set
    pinata = Tango
    Piñata = Tango
    boucle sofa = Fjord Sofa
    Émail teapot = Enamel Teapot
    CRÊPE paper = Tango
    djembé = Djembe`,
  typos: `
    hedphones = Wireless Headphones
    headfones = Wireless Headphones
    heaphones = Wireless Headphones
    bycicle = City Bicycle
    bicylce = City Bicycle
    guitr = Electric Guitar
    gutiar = Electric Guitar
    umbrela = Monsoon Umbrella
    umberlla = Monsoon Umbrella
    cofee mug = Coffee Mug
    coffe mug = Coffee Mug
    coffee mgu = Coffee Mug
    teapto = Enamel Teapot
    tepot = Enamel Teapot
    backpak = Campus Backpack
    bakcpack = Campus Backpack
    compas = Brass Compass
    cammera = Film Camera
    choclate = Chocolate Bar
    chocolat = Chocolate Bar
    labtop = Slate 14 Laptop
    latop = Slate 14 Laptop
    scisors = Coral Scissors
    scizzors = Coral Scissors
    knief = Chef's Knife
    skilet = Cast-Iron Skillet
    vioiln = Old Cremona Violin
    saxaphone = Saxophone
    acordion = Accordion
    dinosuar = Rexford
    dinasaur = Rexford
    microfone = Microphone
    microskope = Microscope
    telefone = Telephone
    telephon = Telephone
    telivision = Television
    keybord = Wireless Keyboard
    tenis racket = Tennis Racket
    tennis raket = Tennis Racket
    snorkle = Snorkel
    suitcas = Cabin Suitcase
    sungalsses = Sunglasses
    nootbook = Notebook
    candel = Beeswax Candle
    mirrow = Petal Mirror
    lanturn = Paper Lantern
    jellow umbrella = Monsoon Umbrella
    xylophone guitar = Electric Guitar
    fotball = Football
    hikking bots = Hiking Boots
    glovse = Knit Gloves
    wirless mouse = Wireless Mouse
    robott = Tin Can Robot
    kyte = Diamond Kite`,
  'one word or two': `
    head phones = Wireless Headphones
    coffeemug = Coffee Mug
    back pack = Campus Backpack
    teddybear = Barnaby
    key board = Wireless Keyboard
    skate board = Skateboard
    tea pot = Enamel Teapot
    strawhat = Straw Hat
    sun glasses = Sunglasses
    note book = Notebook
    flash light = Flashlight
    paint brush = Paintbrush
    foot ball = Football
    alarmclock = Alarm Clock
    yoyo = Yo-Yo`,
  nonsense: `
    zzzqqq =
    asdfghjkl =
    ????? =
    qwrtzp xkcdvb =
    1234567890 =
    东京 =`,
}

/** A query, the names of which one must come first, and its kind. */
export type QualityQuery = { kind: string; query: string; expected: string[] }

export const QUERIES: QualityQuery[] = Object.entries(WRITTEN).flatMap(([kind, lines]) =>
  lines
    .split('\n')
    .filter((line) => line.includes('='))
    .map((line) => {
      const [query = '', expected = ''] = line.split('=').map((part) => part.trim())
      return { kind, query, expected: expected.split('|').flatMap((name) => name.trim() || []) }
    }),
)

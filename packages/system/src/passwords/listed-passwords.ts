/*
 * Written by `npm run reference` from the list of @zxcvbn-ts/language-common, of which it has a part:
 * Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc.; Copyright (c) 2021 @zxcvbn-ts; MIT License.
 */

/** Passwords that are tried first and that the rules do not refuse, with a space between two. */
export const listedPasswords: string =
  '01020304 0192837465 10203040 1020304050 10293847 1029384756 111222333 11223344 1122334455 112233445566 11235813 ' +
  '1123581321 12131213 12131415 12301230 12312312 1232323q 123321123 12344321 1234509876 123454321 1234554321 123456123 ' +
  '123456654321 12345677 1234567890a 1234567890q 1234567891 12345678910 1234567899 123456789987654321 123456789a ' +
  '123456789d 123456789m 123456789q 123456789qwe 123456789r 123456789s 123456789v 123456789z 12345678a 12345678q ' +
  '12345679 1234567a 1234567aa 1234567q 123456aa 123456as 123456qqq 123456qw 123456qwe 123456ru 12345qaz 12345qwe ' +
  '12345qwer 12345qwert 12348765 1234asdf 1234qwer 1234rewq 1234zxcv 12365478 123654789 12369874 123698745 123789456 ' +
  '123qq123 123qwe123 123qweasd 123qwert 12qw12qw 12qw34er 12qwaszx 13243546 134679852 1357908642 135792468 1357924680 ' +
  '135798642 14725836 147258369 14785236 147852369 14789632 147896325 14881488 15426378 18121812 18436572 19283746 ' +
  '192837465 19411945 1a2b3c4d 1a2s3d4f 1million 1passwor 1q2q3q4q 1qa2ws3ed 1qazxsw2 1qazxsw23edc 1qazzaq1 1qw23er4 ' +
  '1x2zkg8w 1z2x3c4v 22446688 23skidoo 25800852 25802580 31415926 321654987 369258147 44332211 45m2do5bs 4815162342 ' +
  '50spanks 51505150 55bgates 5wr2i7h8 66613666 69camaro 73501505 74108520 741258963 741852963 77347734 78945612 ' +
  '789456123 7894561230 789632145 789654123 7ugd5hip2j 8j4ye3uz 9293709b13 963852741 987456321 a1234567 a12345678 ' +
  'a123456789 a1a2a3a4 a1b2c3d4 a1s2d3f4 aa123456 aardvark aberdeen abnormal abracadabra abrakadabra absolute ' +
  'absolutely acapulco achilles acidburn adelaide adgjmptw adrenalin adrienne advanced agent007 airborne aircraft ' +
  'airforce airplane albatros alcatraz alejandr alejandro aleksandr aleksandra alessandro alex1234 alexalex alexande ' +
  'alexandr alexandra alexandre alleycat alliance allison1 almighty alpha123 alphabet alterego amateurs ambrosia ' +
  'america1 american amethyst amsterda amsterdam anaconda anastasi anastasia anastasiya andersen anderson andromed ' +
  'andromeda andyod22 angelica angelika angelina anhyeuem animated annabell annmarie anonymous antelope anthony1 ' +
  'antonina anything aolsucks apollo11 apollo13 apple123 applepie aquarius archange argentin argentina arizona1 ' +
  'arkansas armagedon armstron as123456 asdasd123 asdf1234 asdfasdf asdffdsa asdfg123 asdfqwer asdfzxcv asdqwe123 ' +
  'ashleigh aspirine assassin asshole1 assholes atlantic atlantis atreides attitude auckland augustus austin31 australi ' +
  'australia avalanch aviation awesome1 azertyui azertyuiop azsxdcfv baberuth babybaby babybear babyblue babycake ' +
  'babydoll babyface babylon5 babylove backbone backdoor badabing balloons ballsack baltimor bangbang baracuda barbados ' +
  'barcelon barcelona barefeet barefoot baritone barselona basketba bastards bcfields bearbear bearcats beatles1 ' +
  'beatrice beautifu beautiful beckham7 beefcake beerbeer beethove bellagio bendover benessere benjamin bergkamp ' +
  'berkeley bettyboo bigballs bigblack bigblock bigboobs bigbooty bigdaddy bigdicks bigmoney bigpoppa bigtruck billabon ' +
  'billbill billybob billyboy binladen biohazard birthday bisexual bismarck bismillah bitchass blackberry blackbir ' +
  'blackbird blackcat blackdog blackhaw blackhawk blackjac blackjack blacklab blackman blackout blahblah blessing ' +
  'blink182 blizzard blowfish blue1234 blueball bluebell blueberr blueberry bluebird blueblue blueeyes bluefish ' +
  'bluejays bluemoon bluesman bluestar bobafett bobdylan bobmarley bollocks bonehead bookworm boomboom borabora ' +
  'bordeaux borussia bradford bradley1 brandon1 brewster brighton brigitte brittany brittney broadway broncos1 brooklyn ' +
  'brothers browning brucelee bubba123 bubbles1 buckeyes buckshot budapest buddy123 buddyboy buddydog budlight budweise ' +
  'budweiser buffalo1 building bukowski bulldog1 bulldogs bullfrog bullseye bullshit bunghole business buster12 ' +
  'buttercu buttercup butterfl buttfuck butthead butthole bynthytn cabernet cadillac caliente californ california ' +
  'caligula calimero callaway callisto camaross cambiami cambridg cameltoe cameron1 campbell canadian candyass candyman ' +
  'cannabis cannibal cantona7 capetown capitals capricor capricorn capslock captain1 cardinal cardinals care1839 ' +
  'carebear carlisle carlitos carnival carolina caroline carpedie carpente cartman1 cartoons casanova cashflow cashmone ' +
  'cashmoney cassandr cassandra castillo catalina catherin catherine catwoman cavalier cbr900rr cdtnkfyf celebrity ' +
  'cerberus cfitymrf chainsaw challeng chambers champion chandler chargers charisma charlene charles1 charlott ' +
  'charlotte charlton checkers cheerleaers chemical cherokee cherries cheshire chester1 chestnut chevelle chevrole ' +
  'chevrolet chewbacc cheyenne chicago1 chicken1 chickens children chipmunk chiquita chocolat chocolate choochoo ' +
  'chopper1 chouchou chris123 chrisbln christia christian christie christin christina christine christma christmas ' +
  'christop christopher chrysler chuckles cinnamon citation civilwar cjkysirj clarence clarinet clarissa classics ' +
  'claudia1 claymore clemente cleopatr cleopatra clevelan cleveland clifford clippers clitoris cnfybckfd cocacola ' +
  'cocksuck cocksucker coldbeer coldplay colombia colonial colorado coltrane columbia columbus comanche commande ' +
  'commander commando complete concorde concrete confused conquest constant consumer continue contract converse ' +
  'coolcool cooldude coolhand coolness copenhag corleone cornwall costello cosworth courtney coventry cowboys1 crackers ' +
  'crawford crazybab crazyman creampie creation creative creature crescent cricket1 criminal cristian cristina crjhgbjy ' +
  'cromwell crusader crystal1 cucumber culinary customer cutiepie cyclones cygnusx1 daisydog dallas22 dangerous ' +
  'daniella danielle dannyboy daredevi darkange darkangel darklord darkness darkside darkstar darthvad daughter ' +
  'davedave david123 davidson daylight dbrnjhbz deadhead deadpool deadspin death666 deathnote december deepthroat ' +
  'deerhunt deeznuts deeznutz defender deftones delaware delldell delpiero demon666 derparol designer destiny1 devil666 ' +
  'devildog dfcbkbcf dfktynby dfktynbyf diamond1 diamonds dickdick dickhead dietcoke digital1 dilbert1 dilligaf ' +
  'dimadima dingdong dinosaur dipstick director dirtbike disaster discover dkflbckfd dkflbvbh doberman dodgeram ' +
  'dodgers1 doghouse dogpound dolemite dolphin1 dolphins dominion dominiqu dominique dontknow doomsday doughboy ' +
  'doughnut downhill download downtown dragonba dragonball dragonballz dragonfl dragonfly dragster dreamcas dreaming ' +
  'drowssap drpepper drummer1 dthjybrf dtkjcbgtl dtxyjcnm duckduck dudedude dukeduke dutchess dynamite earnhard ' +
  'earthlink eastside eastwood eatmenow eatpussy eclipse1 edmonton eggplant eighteen einstein ekaterina elcamino ' +
  'eldiablo eldorado electric electron elements eleonora elephant elisabet elizabet elizabeth elizaveta emmanuel ' +
  'enforcer engineer england1 enternow enterpri enterprise entrance erection ericsson escalade espresso estrella ' +
  'eternity evangelion everlast evolutio evolution excalibu excalibur exchange experienced explorer fabulous fairlane ' +
  'faithful fandango fantasia fantomas farscape fastball favorite favorite6 fearless feathers february federico ' +
  'feelgood fellatio ferguson fernando festival fgtkmcby fidelity fireball firebird fireblad firefigh firefire firewall ' +
  'fishbone fishcake fisherman fishfish fishhead fishing1 fishtank fivestar fkbyjxrf fktrcfylh fktrcfylhf flamengo ' +
  'flamingo fletcher flexible flipflop flipper1 florence florida1 flounder flvbybcnhfnjh flyers88 fordf150 foreplay ' +
  'forever1 forgetit formula1 forsaken fortress fountain foxylady francesc francesco francine francisc francois ' +
  'frankie1 franklin freckles frederic frederik fredfred fredrick freebird freefall freefree freepass freeporn ' +
  'freestyle freeuser friendly friendster front242 frontier fuck_inside fuckface fuckfuck fuckhead fuckinside fuckme69 ' +
  'fuckoff1 fuckthis fuckyou1 fuckyou2 fullmoon function funstuff futurama fyfcnfcbz fyfnjkbq fyutkbyf fyutkjxtr ' +
  'gabriel1 gabriela gabriele gabriell gallaries gamecock gamecube gameover gandalf1 gangbang gangster gannibal ' +
  'garfield gargoyle gateway1 gateway2 gatorade gbhfvblf generals genesis1 geoffrey geronimo gertrude gesperrt getmoney ' +
  'gfhjkm123 gfhjkmgfhjkm ghbdtn123 ghbdtnbr ghblehjr ghbywtccf ghhh47hj7649 ghjcnbnenrf ghjcnjgfhjkm ghjcnjnfr ' +
  'ghjuhfvvf ghostrider gianluca gigabyte gilligan giovanna giovanni giuseppe gizmodo1 gladiato gladiator gn56gn56 ' +
  'godbless godfathe godfather godsmack godzilla gogators goldberg goldeney goldeneye goldfing goldfish goldstar ' +
  'goldwing golfball golfgolf gonzales gonzalez good123654 goodgirl goodluck goodtime goodyear gordon24 gorgeous ' +
  'gotohell graphics grateful greatone greedisgood green123 greenbay greenday greenman gretchen greywolf griffith ' +
  'gsxr1000 gtnhjdbx guardian guillaum guinness hairball halflife hallowee halloween hamilton handball handsome ' +
  'handyman hannibal happines happiness happy123 happyday happyman hardball hardcock hardcore harddick hardrock ' +
  'hardware hardwood harrison harrypotter hartford hastings hattrick hawaii50 hawaiian hawkeyes hayabusa heather1 ' +
  'hedgehog heineken heinrich hellfire hellokitty hellsing hellyeah helsinki hercules herewego heritage hetfield ' +
  'highbury highheel highland highlander highlife hillbill holidays hollywoo hollywood holyshit homemade homepage ' +
  'homework honduras honeybee hongkong honolulu hooligan hoosiers hopeless hotgirls hotpussy hotstuff hounddog houston1 ' +
  'htubcnhfwbz humphrey hurrican hurricane huskers1 hyperion icecream icehouse idontkno idontknow ihateyou ilikepie ' +
  'illinois illusion ilovegod ilovepussy ilovesex immortal imperial implants infantry infiniti infinity information ' +
  'innocent insanity insomnia inspiron integral interacial intercourse interest intrepid intruder inuyasha ireland1 ' +
  'irishman ironmaiden isabella isabelle islander istanbul istheman italiano iverson3 jackass1 jackjack jackson1 ' +
  'jackson5 jakejake james007 james123 jamesbon jamesbond japanese jasmine1 jayhawks jeanette jeepster jefferso ' +
  'jefferson jellybea jellybean jeremiah jermaine jiggaman johannes johncena johndeer johngalt johnjohn johnson1 ' +
  'jonathan jonathon josephin juliette junkmail jupiter1 jupiter2 jurassic just4fun justdoit justice1 juventus kakashka ' +
  'kamasutra kamikadze kamikaze kangaroo karolina katarina katerina katherin katherine kathleen kawasaki kayleigh ' +
  'kazantip kcchiefs kcj9wx5n kenneth1 kentucky kenworth keyboard keystone kicksass kikimora killbill killkill kimberly ' +
  'kingfish kingking kingkong kingston kirkland kisskiss kissmyass kittycat kittykat kjrjvjnbd kleopatra klondike ' +
  'knickers knockers knuckles konstantin kordell1 koroleva krasotka kristian kristin1 kristina kristine krokodil ' +
  'labrador lacrosse laetitia lakeside lakewood lalakers lancelot lapochka laserjet lasvegas laurence lavalamp lawrence ' +
  'leavemealone lebowski leedsutd left4dead lemonade lenochka leonardo lesbians letsdoit lfitymrf libertad liberty1 ' +
  'lifehack lifetime lighting lightnin lightning lilwayne limewire lineage2 lionking lipstick lisalisa liverpoo ' +
  'ljxtymrf lockdown logitech lokiloki lokomotiv lol12345 lollipop lollypop lonesome lonestar lonewolf longdong ' +
  'longhair longhorn longjohn lorraine love1234 loveless lovelife lovelove loverboy loverman lowrider lucky123 luckydog ' +
  'luckyone lunchbox macaroni macdaddy macintos madagaskar madeline madison1 magazine magellan magician magicman ' +
  'magnolia mailcreated5240 majestic makaveli makeitso maksimka malaysia mallorca mallrats mamacita mamapapa manchest ' +
  'manchester mandarin mandingo mandrake manunited maradona marathon marauder marcello marcius2 margaret margarit ' +
  'margarita marianna marianne marijuan marijuana mariners marines1 marino13 mariposa marjorie markmark marlboro ' +
  'marriage marseill marseille marshall martinez maryjane maryland masamune maserati mash4077 masterbate masterbating ' +
  'mastermind matchbox matthew1 matthews matthias maverick maxpower maxwell1 mazafaka mazda626 mazdarx7 mcdonald ' +
  'mckenzie meatball meathead meatloaf mechanic medicine megadeth megapass megatron melanie1 melissa1 meowmeow mephisto ' +
  'mercury1 meredith meridian mersedes messenger metallic metallica michaela michaels michigan microlab microphone ' +
  'microsof microsoft midnight mike1234 mikemike military millenium millions millwall minecraft minemine minimoni ' +
  'ministry minnesot mischief misfit99 mississi mississippi missouri mistress mitchell mobydick modelsne mohammad ' +
  'mohammed mollydog monalisa money123 moneyman mongoose monkeybo monkeyboy monopoly monster1 monsters montana1 ' +
  'montecar monterey montgom240 montreal montrose moonbeam moonligh moonlight moonshin morpheus morrison morrowind ' +
  'mortgage mortimer motherfucker motherlode motocros motorola mountain mudvayne muhammad mulligan multiplelo munchkin ' +
  'mushroom musicman mustangs mynameis mypassword myspace1 myxworld napoleon nascar24 natalie1 natasha1 natedogg ' +
  'nathalie national naughty1 nautilus navigator navyseal ncc1701a ncc1701d ncc1701e ncc74656 nebraska nemrac58 ' +
  'netscape nevermin nevermind nevermore newcastl newcastle newpass6 newyork1 nicetits nicholas nightmar nightmare ' +
  'nightowl nightwin nightwish nineball nineinch nintendo nirvana1 nokia123 nokia5800 nokia6233 nokia6300 nokian73 ' +
  'noname123 nonenone nopassword normandy northern nosferatu nostromo notebook nothing1 notredam nounours november ' +
  'nthvbyfnjh ntktdbpjh nuttertools nwo4life nygiants oblivion obsidian offshore oklahoma opendoor operator optimist ' +
  'original outsider overkill overlord p0015123 packers1 paintbal paintball painting pakistan paladin1 pallmall ' +
  'palmtree panasoni panasonic pancakes pantera1 panther1 panthers pantyhos papamama paperino papillon paradigm ' +
  'paradise paramedi paranoid parlament pasadena passmast passport passwor1 passwords patches1 pathetic pathfind ' +
  'patience patricia patrick1 patriots paulpaul pavement pavilion peaches1 pearljam peekaboo penelope penetration ' +
  'penguin1 penguins pentagon penthous perfect1 personal pertinant peterbil peterpan peterson phantom1 pharmacy ' +
  'phialpha philippe phillies phillips phoenix1 pianoman pictures piercing pimpdadd pimpdaddy pineappl pineapple ' +
  'pinetree pingpong pinkfloy pinkfloyd pinnacle pipeline piramida pitchers pizzahut pizzaman plastics platinum ' +
  'platypus playball playboy1 playboy2 playmate playstat playstation playtime pleasure plymouth polniypizdec0211 ' +
  'polopolo poohbear pool6123 poontang poophead popcorn1 porkchop pornking pornporn pornstar portland portugal poseidon ' +
  'positive power123 powerful powerman preacher precious predator presario presiden president pressure princesa ' +
  'pringles printing private1 progress property prophecy prospect protocol prototype pufunga7782 pumpkin1 pumpkins ' +
  'punisher punkrock puppydog pussy123 pussycat pussyman q1234567 q123456789 q1q2q3q4q5 q1w2e3r4 q1w2e3r4t5 ' +
  'q1w2e3r4t5y6 qawsedrf qazwsx12 qazwsx123 qazwsxed qazwsxedc qazwsxedcrfv qazxswedc question qwe123qwe qweasd123 ' +
  'qweasdzx qweasdzxc qwer1234 qwerasdf qwerasdfzxcv qwert123 qwert12345 r2d2c3po rachelle radiohea radiohead ragnarok ' +
  'raiders1 railroad rainbow1 rainbow6 rainbows rainyday raistlin rammstein rangers1 rasputin rastaman raymond1 ' +
  'realmadrid rebecca1 reckless recovery redalert redbaron reddevil reddwarf redheads redlight redskins redwings ' +
  'reginald register reloaded remember remingto renegade republic research resident revoluti revolution revolver ' +
  'reynolds rfhfvtkmrf rfhfylfi rfhnjirf rfnthbyf rfntymrf rfvfcenhf rhbcnbyf rhfcfdbwf rhfcjnrf rhiannon rhjrjlbk ' +
  'rhtdtlrj riccardo richard1 richards richmond riffraff rightnow riverrat riversid rjhjktdf rjirfrgbde rjycnfynby ' +
  'roadkill roadking roadrunn roadrunner roadster robinson robotech robotics rochelle rockford rockhard rocknrol ' +
  'rocknroll rockstar rockwell rodrigue rolltide romantic romashka ronaldinho rootbeer rosemary rosewood runescape ' +
  'rush2112 rustydog sabrina1 sailboat salamander salasana salvador salvatore samantha sammy123 sandiego sandrine ' +
  'sandwich santiago sapphire saratoga sasha123 sasha_007 satan666 satellite saturday sausages savannah scarface ' +
  'scarlett scheisse scissors scoobydo scoobydoo scooter1 scorpio1 scorpion scotland scrabble scrapper screamer ' +
  'screwyou seahawks sealteam sebastia sebastian security seductive segblue2 seinfeld seminole semperfi senators ' +
  'sentinel sephiroth septembe september serenity sergbest sergeant sersolution services sexybabe sexybitch sexygirl ' +
  'sexylady sexysexy shamrock shaney14 shanghai shannon1 sheepdog shepherd sheridan sherlock sherwood shitface shithead ' +
  'shitshit shopping showtime sidekick sigmachi silverad simpsons sinclair singapor sinister sithlord skateboard ' +
  'skinhead skipper1 skittles skorpion skywalke skywalker slamdunk slapshot slimshad slimshady slipknot slippery ' +
  'slowhand smackdow smackdown smartass smashing smeghead smirnoff smoothie sneakers snickers sniffing snoopdog ' +
  'snowball snowbird snowboar snowboard snowflak snuggles socrates softball softtail software sojdlg123aljg solitude ' +
  'solution somerset somethin something sonyericsson sonyfuck sonysony sopranos soso123aljg soulmate southern southpar ' +
  'southpark southpaw spaceman spanking sparkles spartan1 spartans speakers special1 specialk spectrum speedway ' +
  'spencer1 spiderma spiderman spitfire splinter spongebo spongebob sporting springer sprinter sprocket squirrel ' +
  'srinivas stafford stallion standard stanford stanislav stanley1 starbuck starcraf starcraft stardust starfire ' +
  'starfish stargate starligh starship starstar start123 startrek steelers stefanie stephane stephani stephanie ' +
  'stephen1 sterling stewart1 stickman stigmata stiletto stingray stocking stockton stonecol stonecold stonewal ' +
  'straight stranger stratfor strawber strawberry streaming strength stripper suburban success1 suckcock suckdick ' +
  'suckmydick sullivan sundance sundevil sunflowe sunflower sunlight sunnyday super123 superfly superior supernov ' +
  'supernova supersonic supersta superstar surprise surveyor survivor svetlana sweetheart sweetnes sweetness sweetpea ' +
  'swimming swingers swinging swordfis swordfish sylveste syncmaster syracuse tacobell taekwondo talisman tamerlan ' +
  'tampabay tarheels tazmania technics teddybea teddybear telephon telephone temppass tennesse terminal terminat ' +
  'terminator terrapin testing1 testpass thailand thanatos thankyou thebeast thedoors theforce thegreat theodore ' +
  'therock1 thirteen thisisit thompson thrasher threesom thuglife thumper1 thunder1 thunderb thursday tiberius ticklish ' +
  'tiffany1 tiger123 tigercat tinkerbe tinkerbell titanium titleist tkbpfdtnf together tokiohotel tomahawk tommyboy ' +
  'tomorrow toonarmy topolino toriamos tortoise tottenha tottenham touching training transfer translator traveler ' +
  'treasure treefrog trfnthbyf triangle trinidad trinitro trinitron trinity1 trombone trooper1 tropical trouble1 ' +
  'trucking trueblue truelove trumpet1 tunafish turkey50 twilight ultimate umbrella underdog underground undertak ' +
  'undertaker universa universal universe university username usmarine usuckballz1 vacation vagabond valencia valentin ' +
  'valentina valentine valeriya valhalla valkyrie vampire1 vampires vancouve vanessa1 vanguard vanhalen vasilisa ' +
  'vauxhall velocity vendetta verbatim veronica veronika vfhufhbnf vfitymrf vfntvfnbrf vfrcbvrf vfvfgfgf victoria ' +
  'viewsoni viewsonic vikings1 viktoria viktoriya vincent1 vincenzo violetta vipergts virginia virginie vjqgfhjkm ' +
  'vkontakte vladimir vladislav volkswag volleyba volleyball voyager1 vqsablpzla vsjasnel12 wanderer warcraft wareagle ' +
  'warhamme warhammer warrior1 warriors washburn washingt washington waterboy waterfal waterloo waterman waterski ' +
  'wdtnjxtr weare138 webhompas webmaste webmaster werewolf westside westwood wetpussy wg8e3wjf whatwhat whiplash ' +
  'whiskers whistler whiteboy whiteout whitesox whocares wildbill wildcard wildcats wildfire wildwood william1 williams ' +
  'windmill windsurf winston1 wireless wishbone wolfgang wolfpack wolverin wolverine wonderboy wonderfu wonderful ' +
  'woodland woodstoc woofwoof wordpass wp2003wp wrangler wrestler wrestlin wrestling wrinkle1 yamahar1 yankees1 ' +
  'yankees2 yeahbaby yfcntymrf yjdsqgfhjkm yogibear yosemite z1x2c3v4 z1x2c3v4b5 zachary1 zanzibar zaq12wsx zaq1xsw2 ' +
  'zaqwsxcde zaqxswcde zeppelin zerocool zerozero zildjian zoomzoom zxasqw12 zxcasdqwe zxcv1234 zxcvb123';

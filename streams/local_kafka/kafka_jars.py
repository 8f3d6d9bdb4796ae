"""The jars of the local broker, each pinned to its size and SHA-256 as the Python requirements are.

To move to another Kafka: change KAFKA_VERSION (and log4j to the version Kafka names), then `make requirements`, which
runs ops/pin_kafka.py and rewrites the table below.
"""

from dataclasses import dataclass
from typing import Final

KAFKA_VERSION: Final = "4.1.2"

#: What the table is resolved from. Kafka logs through slf4j and names no backend: without the second line it is mute.
ROOTS: Final = (
    f"org.apache.kafka:kafka_2.13:{KAFKA_VERSION}",
    "org.apache.logging.log4j:log4j-slf4j-impl:2.25.3",
)


@dataclass(frozen=True, slots=True)
class Jar:
    """One Maven artifact: `group:artifact:version`, and what its file must be."""

    coordinate: str
    size_bytes: int
    sha256: str

    @property
    def file_name(self) -> str:
        """Return the name that Maven gives the file."""
        _, artifact, version = self.coordinate.split(":")
        return f"{artifact}-{version}.jar"


# One jar, one line.
# fmt: off
JARS: Final = (
    Jar("at.yawk.lz4:lz4-java:1.10.1", 910_232, "a58a84c4271e50df4c96ed916ccb7e48a869f8ed9cdcda1ad5d3d4c33b0214a3"),
    Jar("com.dynatrace.hash4j:hash4j:0.22.0", 316_573, "23028a3fd006e530bf495f551083208187cafd8f80624d048eba56442f16a50e"),
    Jar("com.fasterxml.jackson.core:jackson-annotations:2.19.4", 79_311, "ab26383fa3c10c0df1ffd1bb035d81161c059b1af71927d73c24473c058baa16"),
    Jar("com.fasterxml.jackson.core:jackson-core:2.19.4", 591_409, "466ae4dc4f7054f51525f4211df411d9a64d65cc169995d32bf49e20e6f586e5"),
    Jar("com.fasterxml.jackson.core:jackson-databind:2.19.4", 1_679_441, "b781c431be870deb0bf84421e99e774c256a701f4ba678df80248f55cd16ff74"),
    Jar("com.fasterxml.jackson.dataformat:jackson-dataformat-csv:2.19.4", 106_994, "fc06cf56909e43e0cdc84ad5e23069fcc4d503a8833bda348f47e50e8f1ac92c"),
    Jar("com.fasterxml.jackson.dataformat:jackson-dataformat-yaml:2.19.4", 60_229, "998e652806c49ca59e2b6432c4edc37580c4702cb6189d10e6053d0b7982c2e7"),
    Jar("com.fasterxml.jackson.datatype:jackson-datatype-jdk8:2.19.4", 36_413, "c0e0dc3039f9a37a099b2602838f833ea8c15c56445a0eb5463d0c7e0c355da2"),
    Jar("com.github.ben-manes.caffeine:caffeine:3.2.0", 906_581, "ec411dfdf0c03f25218648ce89861630b71680e5858a9a7278ebac8e55cab3d7"),
    Jar("com.github.luben:zstd-jni:1.5.6-10", 7_305_999, "b6c3237e24b8252a5a9c3a0e1ae30ef8f323412e74bd358548b7a9e527d676df"),
    Jar("com.google.re2j:re2j:1.8", 114_335, "7b52c72156dd7f98b3237a5b35c1d34fba381b21048c89208913ad80a45dfbd7"),
    Jar("com.typesafe.scala-logging:scala-logging_2.13:3.9.5", 61_858, "87a3017d3f43e6ace7566fe4c3d615134c6914ff871c8d64bb32ca1d996d0545"),
    Jar("com.yammer.metrics:metrics-core:2.2.0", 82_123, "6b7a14a6f34c10f8683f7b5e2f39df0f07b58c7dff0e468ebbc713905c46979c"),
    Jar("commons-beanutils:commons-beanutils:1.11.0", 246_806, "9e44ba68ec9a3f21286fa2a8bbb003b735c0f69101bb43144b79f4f8aaa74709"),
    Jar("commons-collections:commons-collections:3.2.2", 588_337, "eeeae917917144a68a741d4c0dff66aa5c5c5fd85593ff217bced3fc8ca783b8"),
    Jar("commons-digester:commons-digester:2.1", 196_768, "e0b2b980a84fc6533c5ce291f1917b32c507f62bcad64198fff44368c2196a3d"),
    Jar("commons-logging:commons-logging:1.3.5", 73_737, "6d7a744e4027649fbb50895df9497d109f98c766a637062fe8d2eabbb3140ba4"),
    Jar("commons-validator:commons-validator:1.10.1", 203_132, "ed74711a78d793ca37f6075e4a1e93d107233dfd20d0bb17e32bad88d38e56aa"),
    Jar("net.sf.jopt-simple:jopt-simple:5.0.4", 78_146, "df26cc58f235f477db07f753ba5a3ab243ebe5789d9f89ecf68dd62ea9a66c28"),
    Jar("net.sourceforge.argparse4j:argparse4j:0.7.0", 90_347, "65ceb669d88f63306c680f8088bbf765bbca72d288a61a03703000076c3d3f56"),
    Jar("org.apache.kafka:kafka-clients:4.1.2", 9_769_826, "afe861c05067f4018a3148d73c1ed1e5fc90808757c15b043527d7e535a5d431"),
    Jar("org.apache.kafka:kafka-coordinator-common:4.1.2", 100_654, "0e6697b6827fa635b4686ec9754b1c5583f4997e9bc0f33a8518f1dee518a454"),
    Jar("org.apache.kafka:kafka-group-coordinator-api:4.1.2", 11_914, "781f932fb3e3824420e7554ef745b57e1827dd801cfc71bf8fd31eef56e60638"),
    Jar("org.apache.kafka:kafka-group-coordinator:4.1.2", 915_256, "1925a002ef7c527b72a0877ed0d9f3a5f88a08d130d1ed2bdfcc40457ded354b"),
    Jar("org.apache.kafka:kafka-metadata:4.1.2", 840_858, "ccc29f5423cf5fbe63b47871dbce00a16e05a38bd0d531b3bf21e5c71ba54fac"),
    Jar("org.apache.kafka:kafka-raft:4.1.2", 309_751, "01f6717d07472b577a1cfe1cdf4d098b14a1dae4e35574164712801bd2a55cce"),
    Jar("org.apache.kafka:kafka-server-common:4.1.2", 371_073, "0f1d8fb9478ca0e3eea23b81064749738b9bff705704067e2fe8d62047e5fc07"),
    Jar("org.apache.kafka:kafka-server:4.1.2", 219_116, "2b849f1c9d3d9a08a5ea4c2f0479c552592cd770d72263d8d1610701a9b3e8d4"),
    Jar("org.apache.kafka:kafka-share-coordinator:4.1.2", 111_777, "fffacfaa46e7f25696f673035f86669422ae81889dfd28d8fec29500ee888310"),
    Jar("org.apache.kafka:kafka-storage-api:4.1.2", 26_987, "79910cc7d0e3d3a9d9ce6f30f6f000cd355321f604a0f6c73c948389d1b41457"),
    Jar("org.apache.kafka:kafka-storage:4.1.2", 591_039, "902a08f775a9957e1546ecec8e22fbda73b84be9dfbdf04cce7a023dd60bf8b9"),
    Jar("org.apache.kafka:kafka-tools-api:4.1.2", 9_072, "6d4d6a33b0dcd2180e7489c58c0089f8fb502e7a095cdd46f57755df462f00ae"),
    Jar("org.apache.kafka:kafka-transaction-coordinator:4.1.2", 50_504, "20939d46e1e65a34d6a59b447f0a5e63721678abbfdc948a5f9422930d71612c"),
    Jar("org.apache.kafka:kafka_2.13:4.1.2", 2_064_221, "965af2d9c19be0c169110eb18468a0bee24e24d14071a57c7f8a57bc4d3f990e"),
    Jar("org.apache.logging.log4j:log4j-api:2.25.3", 350_610, "e886682920fa0fb9d6eb6395dcb4de088443f8646c89c5e5846e168e327f406f"),
    Jar("org.apache.logging.log4j:log4j-core:2.25.3", 2_018_402, "362b7fcb65b73aa46cc4bc53abf4eb216f444a83b5d1a037cb6fdfff0ae9f0f9"),
    Jar("org.apache.logging.log4j:log4j-slf4j-impl:2.25.3", 25_390, "f835ac2bf1a895d5e687b4ebf238bff05316dd672e572dff235024b6e320bcc9"),
    Jar("org.bitbucket.b_c:jose4j:0.9.6", 299_502, "7314af50cde9c99e8eaf43eee617a23edcc6bb43036221064355094999d837ef"),
    Jar("org.hdrhistogram:HdrHistogram:2.2.2", 177_206, "22d1d4316c4ec13a68b559e98c8256d69071593731da96136640f864fa14fad8"),
    Jar("org.jspecify:jspecify:1.0.0", 3_819, "1fad6e6be7557781e4d33729d49ae1cdc8fdda6fe477bb0cc68ce351eafdfbab"),
    Jar("org.pcollections:pcollections:4.0.2", 73_718, "2bbeef5797a241300c4f7513cd546239629ed7deda4fc0c31df90bb95f5f13ef"),
    Jar("org.scala-lang:scala-library:2.13.16", 5_926_340, "1ebb2b6f9e4eb4022497c19b1e1e825019c08514f962aaac197145f88ed730f1"),
    Jar("org.scala-lang:scala-reflect:2.13.16", 3_801_119, "fb49ccd9cac7464486ab993cda20a3c1569d8ef26f052e897577ad2a4970fb1d"),
    Jar("org.slf4j:slf4j-api:1.7.36", 41_125, "d3ef575e3e4979678dc01bf1dcce51021493b4d11fb7f1be8ad982877c16a1c0"),
    Jar("org.xerial.snappy:snappy-java:1.1.10.7", 2_338_496, "4c766cb3f855415ee734b2392949a0b6f12a60879334a74518deaf6270d32e36"),
    Jar("org.yaml:snakeyaml:2.4", 339_825, "ef779af5d29a9dde8cc70ce0341f5c6f7735e23edff9685ceaa9d35359b7bb7f"),
)

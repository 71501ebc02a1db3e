// Projects with the vendor's kind of CMake files, built by cmake against a toolkit's folder alone.
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Toolkits : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    for (const char* project : {"asc_app", "kernel_library", "cpu_debug"})
      fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/cmake_projects" / project, path(project),
               fs::copy_options::recursive);
    const Shown made = opkit({"toolkit", "kit"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  // In a shell that knows the toolkit by its set_env.sh.
  Shown shell(const std::string& commands) {
    write("run.sh", "set -e\nsource kit/set_env.sh\n" + commands + "\n");
    return run_program({"bash", "run.sh"}, folder_, variables_);
  }
  void expect_says(const Shown& shown, const std::string& text) {
    EXPECT_EQ(shown.exit_code, 0) << shown.out << shown.err;
    EXPECT_THAT(shown.out, HasSubstr(text));
  }
};

TEST_F(Toolkits, BuildTheLanguageAsc) {
  for (const char* generator : {"Ninja", "Unix Makefiles"}) {
    fs::remove_all(path("build"));
    const std::string configure = std::string("cmake -G '") + generator +
                                  "' -S asc_app -B build -DCMAKE_ASC_ARCHITECTURES=dav-2201\n";
    expect_says(shell(configure + "cmake --build build\nbuild/demo"), "0 wrong of 1024");
    // A header of the sources is a part of them.
    edit("asc_app/include/lengths.h", "kLength = 1024", "kLength = 512");
    expect_says(shell("cmake --build build\nbuild/demo"), "0 wrong of 512");
    edit("asc_app/include/lengths.h", "kLength = 512", "kLength = 1024");
    EXPECT_THAT(shell("cmake --build build > all.txt\ncmake --build build").out,
                Not(HasSubstr("Building ASC")));
  }
}

TEST_F(Toolkits, BuildLibrariesOfKernels) {
  const std::string right = "0 wrong on Ascend910B3, cube 8, vector 71";
  for (const char* kind : {"STATIC", "SHARED"}) {
    fs::remove_all(path("build"));
    const std::string configure =
        std::string("cmake -G Ninja -S kernel_library -B build -DKIND=") + kind + "\n";
    expect_says(shell(configure + "cmake --build build\nbuild/app"), right);
  }
}

TEST_F(Toolkits, KernelsOfAClosedLibraryDoNoHarm) {
  expect_says(shell("cmake -G Ninja -S kernel_library -B build -DKIND=SHARED\n"
                    "cmake --build build --target ascendc_kernels\n"
                    "cp build/libascendc_kernels.so build/second.so\n"
                    "g++ -Ikit/include kernel_library/closing.cpp -o close -Lkit/lib64 -lascendcl "
                    "-ldl\n./close build/libascendc_kernels.so build/second.so"),
              "2, cube 8");
}

TEST_F(Toolkits, HaveTheHelpersOfPrograms) {
  write("frames.cpp", R"(
#include <cstdio>
#include "opkit_app/input_block.h"
#include "opkit_app/pipeline.h"
int main() {
  int next = 0, sum = 0;
  opkit_app::Pipeline pipeline(2, [](int i) { return i + 1; });
  pipeline.run([&] { return next < 5 ? std::optional<int>(next++) : std::nullopt; },
               [&](int i) { sum += i; });
  std::printf("%d, %zu bytes\n", sum, opkit_app::InputBlock({3, 5}).bytes());
}
)");
  expect_says(
      shell("g++ -std=c++17 -I kit/include frames.cpp -L kit/lib64 -lascendcl -pthread -o frames\n"
            "./frames"),
      "15, 128 bytes");
}

// Older programs name the folder of the headers itself.
TEST_F(Toolkits, HeadersAreFoundFromTheirOwnFolder) {
  write("old.cpp",
        "#include \"acl.h\"\n#include \"acl_prof.h\"\nint main() { return aclInit(nullptr); }\n");
  const Shown built = shell("g++ -fsyntax-only -I kit/runtime/include/acl old.cpp");
  EXPECT_EQ(built.exit_code, 0) << built.err;
}

// A unit test of a kernel in one program with it, and beside a library of kernels.
TEST_F(Toolkits, BuildProgramsOfTikicpulib) {
  for (const char* source : {"sub_main.cpp", "sub_kernel.cpp"})
    fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/programs" / source, path("cpu_debug"));
  const std::string configure = "cmake -G Ninja -S cpu_debug -B build ";
  expect_says(shell(configure + "\ncmake --build build\nbuild/one\nbuild/two\nbuild/plain"),
              "0 wrong\n0 wrong\nplain\n");
  edit("cpu_debug/sub_kernel.cpp", "Sub(", "Add(");
  const Shown other = shell("cmake --build build\nbuild/one || build/two");
  EXPECT_EQ(other.exit_code, 1) << "the object is made anew";
  fs::remove_all(path("build"));
  const Shown older = shell("unset CMAKE_PREFIX_PATH\n" + configure +
                            "-DSOC_VERSION=ascend310B1\n"
                            "cmake --build build --target one");
  EXPECT_NE(older.exit_code, 0);
  EXPECT_THAT(older.out + older.err, HasSubstr("OPK-CC-002"));
}

TEST_F(Toolkits, SayWhatSourcesAndWordsAreNot) {
  edit("asc_app/CMakeLists.txt", "dav-2201 CACHE", "dav-3510 CACHE");
  const std::string build = "cmake -G Ninja -S asc_app -B build\ncmake --build build";
  const Shown other_chip = shell(build);
  EXPECT_NE(other_chip.exit_code, 0);
  EXPECT_THAT(other_chip.out + other_chip.err,
              AllOf(HasSubstr("OPK-CC-013"), HasSubstr("dav-2201 only")));
  edit("asc_app/CMakeLists.txt", "dav-3510 CACHE", "dav-2201 CACHE");
  edit("asc_app/add_custom.asc", "Add(lz, lx", "Ad(lz, lx");
  fs::remove_all(path("build"));
  const Shown wrong = shell(build);
  EXPECT_NE(wrong.exit_code, 0);
  EXPECT_THAT(wrong.out + wrong.err,
              AllOf(HasSubstr("OPK-CC-008"), HasSubstr("asc_app/add_custom.asc:2")));
  EXPECT_FALSE(fs::exists(path("build/CMakeFiles/demo.dir/add_custom.asc.o")));
}

TEST_F(Toolkits, TheCompilerOfObjectsRefusesWhatMeansNothing) {
  const std::string source = "asc_app/add_custom.asc";
  const auto says = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"cc", "-c", source, "-o", "one.o", "--"});
    const Shown shown = opkit(words);
    EXPECT_EQ(fs::exists(path("one.o")), shown.exit_code == 0);
    return shown.err;
  };
  EXPECT_THAT(says({"--cce-unknown"}), AllOf(HasSubstr("OPK-CC-013"), HasSubstr("--cce-unknown")));
  EXPECT_THAT(says({"-std=c++23"}), HasSubstr("OPK-CC-013"));
  EXPECT_THAT(says({"-O7"}), HasSubstr("OPK-CC-013"));
  EXPECT_THAT(says({"-MF"}), HasSubstr("OPK-CC-013"));
  EXPECT_THAT(says({"--opkit-soc=Ascend910Z"}), HasSubstr("Ascend910Z"));
  EXPECT_THAT(opkit({"cc", "-c", source, source, "-o", "one.o"}).err, HasSubstr("OPK-CLI-003"));
  EXPECT_THAT(opkit({"cc", "-c", source, "--kernels", "-o", "one.o"}).err,
              HasSubstr("OPK-CLI-003"));
  ASSERT_EQ(
      opkit({"cc", "-c", source, "-I", "asc_app/include", "-D", "SCALE=1", "-o", "a.o"}).exit_code,
      0);
  says({"-I", "asc_app/include", "-DSCALE=2", "-std=gnu++17", "-Wall", "-g", "-dc"});
  EXPECT_TRUE(fs::exists(path("one.o")));
}

}  // namespace
}  // namespace opkit::e2e
